import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PHONE, useWidth } from '../../lib/breakpoints.ts'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { formatCount } from '../../lib/numbers.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { rememberVisit } from '../../lib/recents.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconArrowMerge, IconArrowsSplit, IconChevronLeft, IconLink, IconStack2 } from '../../ui/icons.ts'
import { Steps } from '../../ui/Steps.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { type ThemeRow, themeQuery } from './api.ts'
import { CreateWorkOrder } from './CreateWorkOrder.tsx'
import { openThemeDialog } from './dialogs.ts'
import { LinkedList } from './LinkedList.tsx'
import { MergeBanner } from './MergeBanner.tsx'
import { QuoteList } from './QuoteList.tsx'
import { SplitBanner } from './SplitBanner.tsx'
import css from './ThemeDetail.module.css'
import { ThemeDialogs } from './ThemeDialogs.tsx'
import { ThemeFigures } from './ThemeFigures.tsx'
import { ThemeHistory } from './ThemeHistory.tsx'
import { ThemeMenu } from './ThemeMenu.tsx'
import { ThemeNotes } from './ThemeNotes.tsx'
import { ThemeProperties } from './ThemeProperties.tsx'
import { TellPeople } from './telling/TellPeople.tsx'
import { useThemeOrder } from './theme-order.ts'

export function ThemePage() {
  const { number } = useParams({ from: '/signed-in/p/$projectId/feedback/themes/$number' })
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { data: row, error } = useQuery(themeQuery(project.id, Number(number)))
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  usePageTitle(row ? `${row.display_id} ${row.title}` : `TH-${number}`)
  const { id, title } = row ?? {}
  useEffect(() => {
    if (id && title !== undefined) rememberVisit(project.id, { kind: 'theme', id, number: Number(number), title })
  }, [project.id, id, number, title])
  if (error && !row) throw error
  const { filters, order, at, total } = useThemeOrder(project.id, number)
  const isPhone = useWidth(PHONE)
  const back = () =>
    void navigate({ to: '/p/$projectId/feedback/themes', params: { projectId: project.id }, search: filters })
  useShortcut('back', back)
  const step = (by: 1 | -1) => {
    const next = order[at + by]
    if (next) void navigate({ to: '.', params: { projectId: project.id, number: next }, replace: true })
  }
  return (
    <>
      <TopBar
        tools={at >= 0 && !isPhone && <Steps at={at} total={total} className={css.place} withKeys onStep={step} />}
        path={
          <>
            <Link
              to="/p/$projectId/feedback/themes"
              params={{ projectId: project.id }}
              search={filters}
              className={css.back}
              aria-label="Back to the themes"
            >
              <IconChevronLeft size={18} stroke={1.75} />
            </Link>
            <span className={css.wide}>
              Feedback /{' '}
              <Link to="/p/$projectId/feedback/themes" params={{ projectId: project.id }}>
                Themes
              </Link>{' '}
              /{' '}
            </span>
            <strong>TH-{number}</strong>
          </>
        }
      >
        <IconButton label="Copy link" onClick={() => void copyText(location.href, 'Link copied')}>
          <IconLink size={17} stroke={1.75} />
        </IconButton>
        {row && mayWrite && <ThemeMenu row={row} projectId={project.id} onGone={back} />}
        {row && mayWrite && <CreateWorkOrder row={row} projectId={project.id} />}
      </TopBar>
      {row && <Detail key={row.id} row={row} projectId={project.id} />}
      {row === undefined && (
        <div className={css.skeleton} aria-busy="true">
          <div className={css.bone} />
          <div className={css.bone} />
          <div className={css.bone} />
        </div>
      )}
      {row === null && (
        <EmptyState
          icon={<IconStack2 size={22} stroke={1.75} />}
          title={`There is no theme TH-${number}`}
          action={
            <Link to="/p/$projectId/feedback/themes" params={{ projectId: project.id }} className={css.clear}>
              All themes
            </Link>
          }
        >
          It was deleted, or merged into another one.
        </EmptyState>
      )}
      <ThemeDialogs projectId={project.id} />
    </>
  )
}

function Detail({ row, projectId }: { row: ThemeRow; projectId: string }) {
  const mayWrite = useMayWrite()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const choose = (id: string) =>
    setChosen((old) => (old.has(id) ? new Set([...old].filter((one) => one !== id)) : new Set(old).add(id)))
  const openWith = (kind: 'split' | 'move') =>
    openThemeDialog({ kind, row, itemIds: [...chosen], onDone: () => setChosen(new Set()) })
  return (
    <div className={css.page}>
      <article className={css.article}>
        <h1 className={css.title} dir="auto">
          {row.title}
        </h1>
        {row.description && <p className={css.description}>{row.description}</p>}
        <ThemeProperties row={row} projectId={projectId} withFeature />
        <ThemeFigures row={row} isWide />
        <ThemeNotes row={row} projectId={projectId} />
        {mayWrite && <MergeBanner row={row} projectId={projectId} />}
        {mayWrite && <SplitBanner row={row} projectId={projectId} onDone={() => setChosen(new Set())} />}
        <section aria-label="Quotes">
          <h2 className={css.quotesHead}>
            <span>
              Quotes <span className={css.total}>{formatCount(row.quote_count)}</span>
            </span>
            {chosen.size > 0 ? (
              <span className={css.chosen}>
                {formatCount(chosen.size)} chosen
                <Button icon={<IconArrowMerge size={15} stroke={1.75} />} onClick={() => openWith('move')}>
                  Move to…
                </Button>
                <Button icon={<IconArrowsSplit size={15} stroke={1.75} />} onClick={() => openWith('split')}>
                  Split
                </Button>
              </span>
            ) : (
              <span className={css.total}>Newest first</span>
            )}
          </h2>
          <QuoteList row={row} projectId={projectId} {...(mayWrite && { chosen, onChoose: choose })} />
        </section>
      </article>
      <aside className={css.inspector} aria-label="Links and history">
        <LinkedList row={row} projectId={projectId} isTall />
        <TellPeople row={row} projectId={projectId} />
        <ThemeHistory row={row} projectId={projectId} />
      </aside>
    </div>
  )
}

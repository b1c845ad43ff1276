import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { useWidth, WITH_BESIDE } from '../../lib/breakpoints.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconFilter, IconPlus, IconStack2 } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { type ListHandle, useCursor } from '../../ui/list/use-cursor.ts'
import { Split } from '../../ui/Split.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { Toolbar } from '../../ui/toolbar/Toolbar.tsx'
import { FeedbackTabs } from '../FeedbackTabs.tsx'
import { type ThemeRow, themeRowsQuery } from './api.ts'
import { openThemeDialog } from './dialogs.ts'
import css from './ThemeDetail.module.css'
import { ThemeDialogs } from './ThemeDialogs.tsx'
import { ThemeList } from './ThemeList.tsx'
import { ThemePanel } from './ThemePanel.tsx'
import { ThemeTools } from './ThemeTools.tsx'
import { numberOf } from './theme.ts'
import { useRememberFilters } from './theme-order.ts'

export function ThemesPage() {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { beside, ...filters } = useSearch({ from: '/signed-in/p/$projectId/feedback/themes' })
  const query = useInfiniteQuery(themeRowsQuery(project.id, filters))
  const rows = useMemo(() => withoutRepeated(query.data?.pages.flatMap(({ items }) => items)), [query.data])
  useRememberFilters(project.id, filters)
  const mayWrite = useMayWrite()
  const isWide = useWidth(WITH_BESIDE)
  const open = isWide ? rows?.find((row) => numberOf(row) === beside) : undefined
  usePageTitle(open ? `${open.display_id} ${open.title}` : `Themes · ${project.name}`)
  const create = () => openThemeDialog({ kind: 'create' })
  useShortcut('create', mayWrite ? create : undefined)
  const panel = isWide && beside && rows && (
    <ThemePanel number={Number(beside)} projectId={project.id} rows={rows} isWhole={!query.hasNextPage} />
  )
  return (
    <>
      <TopBar
        path={
          <>
            {project.name} / Feedback / <strong>Themes</strong>
          </>
        }
        title="Themes"
      >
        {mayWrite && (
          <Button icon={<IconPlus size={16} />} onClick={create}>
            New theme <Kbd keys="c" />
          </Button>
        )}
      </TopBar>
      <h1 className="sr-only">Themes</h1>
      <Toolbar>
        <FeedbackTabs open="themes" />
        <ThemeTools />
      </Toolbar>
      <Split beside={panel ? { of: String(beside), panel } : undefined}>
        {rows ? (
          <Rows rows={rows} openId={open?.id} query={query} onCreate={create} />
        ) : query.error ? (
          <LoadFault what="The themes" error={query.error} onRetry={query.refetch} />
        ) : (
          <Skeleton />
        )}
      </Split>
      <ThemeDialogs projectId={project.id} />
    </>
  )
}

interface RowsProps {
  rows: ThemeRow[]
  openId: string | undefined
  query: { hasNextPage: boolean; isFetching: boolean; fetchNextPage(): unknown }
  onCreate(): void
}

function Rows({ rows, openId, query, onCreate }: RowsProps) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const isWide = useWidth(WITH_BESIDE)
  const list = useRef<ListHandle>(null)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const { step, clear, ...cursor } = useCursor(ids, { openId, list })
  const { beside: _, ...filters } = useSearch({ from: '/signed-in/p/$projectId/feedback/themes' })
  const focused = rows.find(({ id }) => id === cursor.focusedId)
  const openPage = (row: ThemeRow) =>
    void navigate({
      to: '/p/$projectId/feedback/themes/$number',
      params: { projectId: project.id, number: numberOf(row) },
    })
  const openBeside = (row: ThemeRow) =>
    isWide ? void navigate({ to: '.', search: (old) => ({ ...old, beside: numberOf(row) }) }) : openPage(row)
  useShortcut('next', openId ? undefined : () => step(1))
  useShortcut('previous', openId ? undefined : () => step(-1))
  useShortcut('open', focused && !openId ? () => openPage(focused) : undefined)
  useShortcut('open-beside', focused && (() => openBeside(focused)))
  useShortcut('back', focused && !openId ? clear : undefined)
  const more = () => {
    if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
  }
  if (rows.length > 0)
    return (
      <ThemeList
        projectId={project.id}
        rows={rows}
        cursor={cursor}
        handle={list}
        openId={openId}
        onOpen={openBeside}
        onEnd={more}
      />
    )
  if (Object.keys(filters).length > 0)
    return (
      <EmptyState
        icon={<IconFilter size={22} stroke={1.75} />}
        title="No theme matches"
        action={
          <Link to="." search={{}} className={css.clear}>
            Show the open themes
          </Link>
        }
      >
        No theme has this status and these filters.
      </EmptyState>
    )
  const body = '{"title": "Totals are off by a cent", "type": "bug", "priority": "high", "description": ""}'
  return (
    <EmptyState
      icon={<IconStack2 size={22} stroke={1.75} />}
      title="See what many people want"
      action={
        mayWrite && (
          <Button look="primary" icon={<IconPlus size={16} />} onClick={onCreate}>
            New theme <Kbd keys="c" onAccent />
          </Button>
        )
      }
      command={`curl ${location.origin}/v2/external-api/feedback/themes \\\n  -H "X-API-Key: $SLIPWAY_KEY" -H "Content-Type: application/json" \\\n  -d '${body}'`}
    >
      A theme collects what several customers say about the same matter, ranked by how many people they are.
    </EmptyState>
  )
}

/** A theme that rose in the ranking between two pages stands on both. */
function withoutRepeated(rows: ThemeRow[] | undefined): ThemeRow[] | undefined {
  return rows && [...new Map(rows.map((row) => [row.id, row])).values()]
}

const Skeleton = () => (
  <div className={css.skeleton} aria-busy="true">
    {Array.from({ length: 8 }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
      <div key={at} className={css.bone} />
    ))}
  </div>
)

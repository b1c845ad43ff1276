import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useShortcut } from '../../app/shortcuts.ts'
import { TopBar } from '../../app/TopBar.tsx'
import { showToast } from '../../app/toasts.tsx'
import { queryClient } from '../../lib/query-client.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconArrowRight, IconChevronDown, IconChevronUp, IconX } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { documentQuery, versionQuery, versionsQuery } from '../api.ts'
import '../editor/editor.css'
import { documentsOf, KINDS, type Kind } from '../kind.ts'
import { compareVersions, countLines } from './compare.ts'
import { Differences } from './Differences.tsx'
import css from './HistoryPage.module.css'
import { VersionList } from './VersionList.tsx'

export function RequirementHistory() {
  return <HistoryPage kind="requirements" />
}

export function BlueprintHistory() {
  return <HistoryPage kind="blueprints" />
}

/** What changed between two versions of a document, and the way back to one of them. */
function HistoryPage({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const id = useParams({ strict: false }).documentId!
  const navigate = useNavigate()
  const { data: document } = useQuery(documentQuery(project.id, kind, id))
  const { data: versions, error } = useQuery(versionsQuery(project.id, kind, id))
  const [chosen, setChosen] = useState<{ a?: number; b?: number }>({})
  const [layout, setLayout] = useState<'inline' | 'side'>('inline')
  const [at, setAt] = useState(-1)
  const [isBusy, setBusy] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  if (error && !versions) throw error
  const newest = versions?.[0]
  const b = versions?.find(({ version_number }) => version_number === chosen.b) ?? newest
  const a =
    versions?.find(({ version_number }) => version_number === chosen.a) ??
    versions?.find(({ version_number }) => version_number === (b?.version_number ?? 0) - 1)
  const isCurrent = (number: number | undefined) => number === newest?.version_number
  const before = useQuery({
    ...versionQuery(project.id, kind, id, a?.version_id ?? '', isCurrent(a?.version_number)),
    enabled: a !== undefined,
  }).data
  const after = useQuery({
    ...versionQuery(project.id, kind, id, b?.version_id ?? '', isCurrent(b?.version_number)),
    enabled: b !== undefined,
  }).data
  const old = a ? before : ''
  const changes = useMemo(
    () => (old === undefined || after === undefined ? undefined : compareVersions(old, after)),
    [old, after],
  )
  const lines = useMemo(
    () => (old === undefined || after === undefined ? undefined : countLines(old, after)),
    [old, after],
  )
  const total = changes?.filter(({ type }) => type === 'changed').length ?? 0
  const close = () =>
    void navigate({ to: `/p/$projectId/${kind}/$documentId`, params: { projectId: project.id, documentId: id } })
  useShortcut('back', close)

  const goTo = (step: 1 | -1) => {
    if (total === 0) return
    const next = (at + step + total) % total
    setAt(next)
    body.current?.querySelectorAll('[data-difference]')[next]?.scrollIntoView({ block: 'center' })
  }
  const restore = async (versionId: string, number: number, isUndo = false) => {
    setBusy(true)
    const back = newest
    try {
      await documentsOf(project.id, kind).restoreVersion(id, versionId)
      await queryClient.invalidateQueries({ queryKey: versionsQuery(project.id, kind, id).queryKey })
      setChosen({})
      const undo = () => back && void restore(back.version_id, back.version_number, true)
      showToast(
        isUndo
          ? { text: `Back to version ${number}, as a new version` }
          : { text: `Version ${number} restored as a new version`, action: { label: 'Undo', run: undo } },
      )
    } catch (err) {
      const run = () => void restore(versionId, number, isUndo)
      showToast({
        text: 'It was not restored',
        detail: (err as Error).message,
        tone: 'error',
        action: { label: 'Retry', run },
      })
    }
    setBusy(false)
  }

  return (
    <div className={css.page}>
      <div className={css.main}>
        <TopBar
          path={
            <>
              {KINDS[kind].title} /{' '}
              <Link to={`/p/$projectId/${kind}/$documentId`} params={{ projectId: project.id, documentId: id }}>
                {document?.title}
              </Link>{' '}
              / <strong>History</strong>
            </>
          }
        >
          <Button look="quiet" icon={<IconX size={16} />} onClick={close}>
            Close <Kbd keys="esc" />
          </Button>
          {a && project.role !== 'viewer' && (
            <Button
              look="primary"
              icon={<IconArrowBackUp size={16} />}
              busy={isBusy}
              onClick={() => void restore(a.version_id, a.version_number)}
            >
              Restore version {a.version_number}
            </Button>
          )}
        </TopBar>
        <div className={css.bar}>
          {a && (
            <>
              <span className={css.version}>
                <b>A</b> Version {a.version_number}
              </span>
              <IconArrowRight size={15} stroke={1.75} />
            </>
          )}
          {b && (
            <span className={css.version}>
              <b data-b>B</b> Version {b.version_number}
            </span>
          )}
          {lines && lines.added > 0 && <span className={css.added}>+{lines.added}</span>}
          {lines && lines.removed > 0 && <span className={css.removed}>−{lines.removed}</span>}
          <span className={css.grow} />
          {total > 0 && (
            <>
              {at < 0 ? `${total} change${total === 1 ? '' : 's'}` : `Change ${at + 1} of ${total}`}
              <IconButton small label="Previous change" onClick={() => goTo(-1)}>
                <IconChevronUp size={16} />
              </IconButton>
              <IconButton small label="Next change" onClick={() => goTo(1)}>
                <IconChevronDown size={16} />
              </IconButton>
            </>
          )}
          <fieldset className={css.switch} aria-label="Layout">
            <button type="button" aria-pressed={layout === 'inline'} onClick={() => setLayout('inline')}>
              Inline
            </button>
            <button type="button" aria-pressed={layout === 'side'} onClick={() => setLayout('side')}>
              Side by side
            </button>
          </fieldset>
        </div>
        <div ref={body} className={css.scroller}>
          <article className={layout === 'side' ? css.wide : css.text}>
            <h1 className={css.title}>{document?.title}</h1>
            {changes && <Differences changes={changes} layout={layout} />}
          </article>
        </div>
      </div>
      <VersionList
        versions={versions ?? []}
        a={a?.version_number}
        b={b?.version_number}
        onPick={(number, isB) => {
          setAt(-1)
          setChosen((old) => (isB ? { ...old, b: number } : { ...old, a: number }))
        }}
      />
    </div>
  )
}

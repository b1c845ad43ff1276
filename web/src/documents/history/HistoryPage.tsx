import { readBlocks } from '@slipway/server/markdown/reading'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { membersQuery } from '../../people/members.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { IconArrowBackUp, IconArrowRight, IconBookmark, IconChevronDown, IconChevronUp, IconX } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { LoadFault } from '../../ui/LoadFault.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { TopBar } from '../../ui/TopBar.tsx'
import { documentQuery, type HistoryEntry, historyQuery, versionQuery } from '../api.ts'
import { useShortcut } from '../shortcuts.ts'
import '../../editor/editor.css'
import { compareVersions, countLines } from '../../editor/comparing/compare.ts'
import { TextSkeleton } from '../../editor/TextSkeleton.tsx'
import { KINDS, type Kind } from '../kind.ts'
import { Differences } from './Differences.tsx'
import { nameVersion, restoreVersion } from './edits.ts'
import css from './HistoryPage.module.css'
import { LineDifferences } from './LineDifferences.tsx'
import { VersionChooser } from './VersionChooser.tsx'
import { VersionList } from './VersionList.tsx'
import { MAX_BETWEEN, useWriters } from './writers.ts'

const LAYOUTS = [
  { value: 'inline', label: 'Inline' },
  { value: 'side', label: 'Side by side' },
] as const
const FORMS = [
  { value: 'rich', label: 'Rich' },
  { value: 'markdown', label: 'Markdown' },
] as const

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
  const chosen = useSearch({ from: `/signed-in/p/$projectId/${kind}/$documentId/history` })
  const navigate = useNavigate()
  const { data: document } = useQuery(documentQuery(project.id, kind, id))
  const { data: versions, error } = useQuery(historyQuery(project.id, kind, id))
  // Their accounts tell agents from people.
  useQuery(membersQuery(project.id))
  const [layout, setLayout] = useState<'inline' | 'side'>('inline')
  const [form, setForm] = useState(() => (remembered('history-form') === 'markdown' ? 'markdown' : 'rich'))
  const [at, setAt] = useState(-1)
  const [busy, setBusy] = useState<number>()
  const [naming, setNaming] = useState<number>()
  const body = useRef<HTMLDivElement>(null)
  if (error && !versions) throw error
  const mayWrite = useMayWrite()
  const newest = versions?.[0]
  const find = (number: number | undefined) => versions?.find(({ version_number }) => version_number === number)
  const b = find(Number(chosen.b)) ?? newest
  const a = find(Number(chosen.a)) ?? find((b?.version_number ?? 0) - 1)
  const before = useVersion(kind, id, a, newest)
  const after = useVersion(kind, id, b, newest)
  const old = a ? before.data : ''
  const isReady = old !== undefined && after.data !== undefined
  const changes = useMemo(
    () => (old !== undefined && after.data !== undefined ? compareVersions(old, after.data) : undefined),
    [old, after.data],
  )
  const between = useMemo(
    () =>
      versions?.filter(
        ({ version_number: number }) => number > (a?.version_number ?? 0) && number <= (b?.version_number ?? 0),
      ) ?? [],
    [versions, a, b],
  )
  const writers = useWriters({ projectId: project.id, kind, id }, between, newest, changes)
  const lines = useMemo(
    () => (old !== undefined && after.data !== undefined ? countLines(old, after.data) : undefined),
    [old, after.data],
  )
  const trees = useMemo(
    () => (isReady ? { old: readBlocks(old), fresh: readBlocks(after.data!) } : undefined),
    [isReady, old, after.data],
  )
  const [total, setTotal] = useState(0)
  const fault = before.error ?? after.error
  const choose = (next: { a?: string | undefined; b?: string | undefined }) => {
    setAt(-1)
    void navigate({
      to: `/p/$projectId/${kind}/$documentId/history`,
      params: { projectId: project.id, documentId: id },
      search: { a: chosen.a, b: chosen.b, ...next },
      replace: true,
    })
  }
  const close = () =>
    void navigate({ to: `/p/$projectId/${kind}/$documentId`, params: { projectId: project.id, documentId: id } })
  useShortcut('back', close)

  const goTo = (step: 1 | -1) => {
    if (total === 0) return
    const next = (at + step + total) % total
    setAt(next)
    body.current?.querySelectorAll('[data-difference]')[next]?.scrollIntoView({ block: 'center' })
  }
  useShortcut('next', () => goTo(1))
  useShortcut('previous', () => goTo(-1))
  const restore = async (version: HistoryEntry) => {
    setBusy(version.version_number)
    if (await restoreVersion({ projectId: project.id, kind, id }, version, newest))
      choose({ a: undefined, b: undefined })
    setBusy(undefined)
  }
  return (
    <div className={css.page}>
      <div className={css.main}>
        <TopBar
          path={
            <>
              <span className={css.wide}>{KINDS[kind].title} / </span>
              {document && (
                <>
                  <Link to={`/p/$projectId/${kind}/$documentId`} params={{ projectId: project.id, documentId: id }}>
                    {document.title}
                  </Link>
                  {' / '}
                </>
              )}
              <strong>History</strong>
            </>
          }
        >
          <Button look="quiet" icon={<IconX size={16} />} onClick={close}>
            <span className={css.close}>Close</span> <Kbd keys="esc" />
          </Button>
          {a && mayWrite && (
            <>
              <Button
                className={css.wide}
                icon={<IconBookmark size={16} stroke={1.75} />}
                onClick={() => setNaming(a.version_number)}
              >
                Name this version
              </Button>
              <Button
                look="primary"
                className={css.wide}
                icon={<IconArrowBackUp size={16} />}
                busy={busy === a.version_number}
                onClick={() => void restore(a)}
              >
                Restore version {a.version_number}
              </Button>
            </>
          )}
        </TopBar>
        <div className={css.bar}>
          {versions && (
            <>
              <VersionChooser letter="A" versions={versions} chosen={a} onPick={(number) => choose({ a: number })} />
              <IconArrowRight size={15} stroke={1.75} />
              <VersionChooser letter="B" versions={versions} chosen={b} onPick={(number) => choose({ b: number })} />
            </>
          )}
          {lines && lines.added > 0 && (
            <span className={css.added} title="Lines added">
              +{lines.added}
            </span>
          )}
          {lines && lines.removed > 0 && (
            <span className={css.removed} title="Lines removed">
              −{lines.removed}
            </span>
          )}
          <span className={css.grow} />
          {total > 0 && (
            <>
              <span>{at < 0 ? `${total} change${total === 1 ? '' : 's'}` : `Change ${at + 1} of ${total}`}</span>
              <IconButton small label="Previous change" onClick={() => goTo(-1)}>
                <IconChevronUp size={16} />
              </IconButton>
              <IconButton small label="Next change" onClick={() => goTo(1)}>
                <IconChevronDown size={16} />
              </IconButton>
            </>
          )}
          <Segments
            label="Layout"
            options={LAYOUTS}
            value={layout}
            onChange={(one) => setLayout(one)}
            className={css.switch}
          />
          <Segments
            label="View"
            options={FORMS}
            value={form}
            onChange={(one) => {
              setForm(one)
              setAt(-1)
              remember('history-form', one)
            }}
            className={css.switch}
          />
        </div>
        <div ref={body} className={css.scroller}>
          <article className={layout === 'side' ? css.sides : css.text}>
            <h1 className={css.title} dir="auto">
              {document?.title}
            </h1>
            {form === 'rich' && between.length > MAX_BETWEEN && (
              <p className={css.many}>
                {between.length} versions lie between these two. Choose nearer ones to see who wrote each change.
              </p>
            )}
            {fault && !isReady ? (
              <LoadFault
                what="A version"
                error={fault}
                onRetry={() => Promise.all([before.refetch(), after.refetch()])}
              />
            ) : !isReady ? (
              <TextSkeleton />
            ) : form === 'markdown' ? (
              <LineDifferences old={old} fresh={after.data!} layout={layout} onCount={setTotal} />
            ) : (
              changes &&
              trees && (
                <Differences changes={changes} writers={writers} trees={trees} layout={layout} onCount={setTotal} />
              )
            )}
          </article>
        </div>
      </div>
      <VersionList
        versions={versions ?? []}
        a={a?.version_number}
        b={b?.version_number}
        mayWrite={mayWrite}
        naming={naming}
        onNaming={setNaming}
        onName={(version, name) => void nameVersion({ projectId: project.id, kind, id }, version, name)}
        onRestore={(version) => void restore(version)}
        onPick={(number, isB) => choose(isB ? { b: String(number) } : { a: String(number) })}
      />
    </div>
  )
}

/** The text of a version. */
function useVersion(kind: Kind, id: string, version: HistoryEntry | undefined, newest: HistoryEntry | undefined) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  return useQuery({
    ...versionQuery(project.id, kind, id, version?.version_id ?? '', version === newest),
    enabled: version !== undefined,
  })
}

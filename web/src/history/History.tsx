import { readBlocks } from '@slipway/server/markdown/reading'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { useMayWrite } from '../lib/may-write.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { remember, remembered } from '../lib/storage.ts'
import { membersQuery } from '../people/members.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { IconArrowBackUp, IconArrowRight, IconBookmark, IconChevronDown, IconChevronUp, IconX } from '../ui/icons.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { LoadFault } from '../ui/LoadFault.tsx'
import { Segments } from '../ui/Segments.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import type { HistoryEntry } from './entry.ts'
import type { ChosenVersions } from './search.ts'
import type { HistoryOf, TextQuery } from './subject.ts'
import '../editor/editor.css'
import { compareVersions, countLines } from '../editor/comparing/compare.ts'
import { TextSkeleton } from '../editor/TextSkeleton.tsx'
import { Differences } from './Differences.tsx'
import css from './History.module.css'
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

/** What changed between two versions of a text, and the way back to one of them. */
export function History({ of }: { of: HistoryOf }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const { title, path, versions, textQuery, chosen, onChoose, onClose, onRestore, onName } = of
  // Their accounts tell agents from people.
  useQuery(membersQuery(project.id))
  const [layout, setLayout] = useState<'inline' | 'side'>('inline')
  const [form, setForm] = useState(() => (remembered('history-form') === 'markdown' ? 'markdown' : 'rich'))
  const [at, setAt] = useState(-1)
  const [busy, setBusy] = useState<number>()
  const [naming, setNaming] = useState<number>()
  const body = useRef<HTMLDivElement>(null)
  const mayWrite = useMayWrite()
  const newest = versions?.[0]
  const find = (number: number | undefined) => versions?.find(({ version_number }) => version_number === number)
  const b = find(Number(chosen.b)) ?? newest
  const a = find(Number(chosen.a)) ?? find((b?.version_number ?? 0) - 1)
  const before = useVersion(textQuery, a, newest)
  const after = useVersion(textQuery, b, newest)
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
  const writers = useWriters(textQuery, between, newest, changes)
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
  const choose = (next: ChosenVersions) => {
    setAt(-1)
    onChoose({ ...chosen, ...next })
  }
  useShortcut('back', onClose)

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
    if (await onRestore(version, newest)) choose({ a: undefined, b: undefined })
    setBusy(undefined)
  }
  return (
    <div className={css.page}>
      <div className={css.main}>
        <TopBar
          path={
            <>
              {path}
              <strong>History</strong>
            </>
          }
        >
          <Button look="quiet" icon={<IconX size={16} />} onClick={onClose}>
            <span className={css.close}>Close</span> <Kbd keys="esc" />
          </Button>
          {a && mayWrite && (
            <>
              {onName && (
                <Button
                  className={css.wide}
                  icon={<IconBookmark size={16} stroke={1.75} />}
                  onClick={() => setNaming(a.version_number)}
                >
                  Name this version
                </Button>
              )}
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
              {title}
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
        onName={onName}
        onRestore={(version) => void restore(version)}
        onPick={(number, isB) => choose(isB ? { b: String(number) } : { a: String(number) })}
      />
    </div>
  )
}

/** The text of a version. */
const useVersion = (textQuery: TextQuery, version: HistoryEntry | undefined, newest: HistoryEntry | undefined) =>
  useQuery({ ...textQuery(version?.version_id ?? '', version === newest), enabled: version !== undefined })

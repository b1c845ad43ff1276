import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { TextSkeleton } from '../../editor/TextSkeleton.tsx'
import { useWidth, WITHOUT_PREVIEW } from '../../lib/breakpoints.ts'
import { cx } from '../../lib/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconSearch } from '../../ui/icons.ts'
import { TopBar } from '../../ui/TopBar.tsx'
import { countQuery, treeQuery } from '../api.ts'
import { KINDS, type Kind } from '../kind.ts'
import { useShortcut } from '../shortcuts.ts'
import { idsWithin } from '../tree/tree.ts'
import { Field } from './Field.tsx'
import { Filters } from './Filters.tsx'
import { Preview } from './Preview.tsx'
import { browserPattern } from './pattern.ts'
import { ResultList } from './ResultList.tsx'
import { hitsQuery, isBusy, MAX_DOCUMENTS, rowsOfHits } from './results.ts'
import css from './SearchPage.module.css'
import { SearchTrouble } from './SearchTrouble.tsx'
import { DEFAULT_CONTEXT, type TextSearch } from './text-search.ts'

export function RequirementsSearchPage() {
  return <SearchPage kind="requirements" />
}

export function BlueprintsSearchPage() {
  return <SearchPage kind="blueprints" />
}

const AFTER_MS = 150

/** Lines of all documents that match a regular expression. What is looked for stands in the address. */
function SearchPage({ kind }: { kind: Kind }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const search: TextSearch = useSearch({ from: `/signed-in/p/$projectId/${kind}/search` })
  const navigate = useNavigate()
  const isNarrow = useWidth(WITHOUT_PREVIEW)
  const [text, setText] = useState(search.q ?? '')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const field = useRef<HTMLInputElement>(null)
  const change = (next: TextSearch) =>
    void navigate({
      to: `/p/$projectId/${kind}/search`,
      params: { projectId: project.id },
      search: (old: TextSearch) => ({ ...old, ...next }),
      replace: true,
    })
  const openAt = (id: string, line: number | undefined) =>
    void navigate({
      to: `/p/$projectId/${kind}/$documentId`,
      params: { projectId: project.id, documentId: id },
      search: line === undefined ? {} : { line: String(line) },
    })

  // Typing changes the address after a pause; an address from elsewhere, such as the palette, changes the field.
  const written = useRef(search.q ?? '')
  useEffect(() => {
    const q = search.q ?? ''
    if (q === written.current) return
    written.current = q
    setText(q)
  }, [search.q])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    if (text === written.current) return
    const timer = setTimeout(() => {
      written.current = text
      change({ q: text || undefined, at: undefined })
    }, AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])

  const query = search.q ?? ''
  const caseSensitive = search.case === '1'
  const context = Number(search.context ?? DEFAULT_CONTEXT)
  const answer = useQuery(hitsQuery(project.id, kind, { query, caseSensitive, context, within: search.in }))
  const tree = useQuery(treeQuery(project.id, kind)).data
  const total = useQuery(countQuery(project.id, kind)).data
  const within = useMemo(() => (tree && search.in ? idsWithin(tree, search.in) : undefined), [tree, search.in])
  const hits = query === '' ? undefined : answer.data
  const rows = useMemo(() => rowsOfHits(hits ?? [], closed), [hits, closed])
  const pattern = useMemo(() => browserPattern(query, caseSensitive), [query, caseSensitive])
  /** What can be chosen: each line that matches, and a document of which only the title does. */
  const stops = useMemo(
    () =>
      (hits ?? []).flatMap(({ id, matches }) =>
        matches.length === 0 ? [`${id}.0`] : matches.map(({ line_number }) => `${id}.${line_number}`),
      ),
    [hits],
  )
  const at = Math.max(0, stops.indexOf(search.at ?? ''))
  const chosen = stops[at]
  const step = (by: 1 | -1) => {
    const next = stops[at + by]
    if (next) change({ at: next })
  }
  const open = () => {
    if (!chosen) return
    const [id, line] = chosen.split('.') as [string, string]
    openAt(id, line === '0' ? undefined : Number(line))
  }
  const toggleCase = () => change({ case: caseSensitive ? undefined : '1', at: undefined })
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useShortcut('open', open)
  useShortcut('search', () => field.current?.focus())
  useShortcut('back', () => history.back())

  const isStale = text !== query || answer.isPlaceholderData || answer.isFetching
  const failure = query === '' || text !== query ? undefined : (answer.error ?? undefined)
  const isWaiting = answer.isFetching && isBusy(answer.failureReason)
  const lineCount = hits?.reduce((sum, { matches }) => sum + matches.length, 0) ?? 0
  const counted = hits && !failure && (
    <>
      <b>{lineCount === 1 ? '1 line' : `${lineCount.toLocaleString('en')} lines`}</b> in{' '}
      {hits.length === 1 ? '1 document' : `${hits.length} documents`}
    </>
  )
  return (
    <>
      <h1 className="sr-only">Search in {KINDS[kind].title.toLowerCase()}</h1>
      <TopBar
        path={
          <>
            <Link to={`/p/$projectId/${kind}`} params={{ projectId: project.id }}>
              {KINDS[kind].title}
            </Link>{' '}
            / <strong>Search</strong>
          </>
        }
      />
      <div className={css.page}>
        <section className={css.found} aria-label="Results">
          <div className={css.head}>
            <Field
              ref={field}
              kind={kind}
              value={text}
              onChange={setText}
              caseSensitive={caseSensitive}
              onCase={toggleCase}
              failure={failure}
              onStep={step}
              onOpen={open}
            />
            <Filters
              kind={kind}
              tree={tree}
              within={search.in}
              onWithin={(id) => change({ in: id, at: undefined })}
              context={context}
              onContext={(lines) => change({ context: lines === DEFAULT_CONTEXT ? undefined : String(lines) })}
              counted={counted}
              allClosed={hits !== undefined && hits.length > 0 && hits.every(({ id }) => closed.has(id))}
              onFold={() =>
                setClosed((old) =>
                  old.size > 0 ? new Set() : new Set((hits ?? []).filter(({ id }) => !old.has(id)).map(({ id }) => id)),
                )
              }
            />
          </div>
          <p className="sr-only" role="status">
            {isWaiting
              ? 'The server is busy.'
              : !isStale && hits
                ? `${lineCount} lines in ${hits.length} documents`
                : ''}
          </p>
          {isWaiting && (
            <SearchTrouble busySeconds={(answer.failureReason as { retryAfter?: number }).retryAfter ?? 2} />
          )}
          {failure && <SearchTrouble failure={failure} onRetry={() => void answer.refetch()} />}
          {query === '' ? (
            <EmptyState
              icon={<IconSearch size={22} stroke={1.75} />}
              title={`Search the text of all ${KINDS[kind].title.toLowerCase()}`}
              command={`curl -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\\n  ${location.origin}/v2/external-api/${kind}/search \\\n  -d '{"query": "idempoten(t|cy)"}'`}
            >
              Type a word or a regular expression. Every line that matches is shown with its number and what stands
              around it.
            </EmptyState>
          ) : hits && hits.length === 0 && !failure ? (
            <p className={cx(css.none, isStale && css.stale)}>
              Nothing matches <code>{query}</code>
              {within ? ' in this part.' : '.'}
              {within && (
                <button type="button" className={css.link} onClick={() => change({ in: undefined })}>
                  Search in all {KINDS[kind].title.toLowerCase()}
                </button>
              )}
            </p>
          ) : hits ? (
            <ResultList
              rows={rows}
              pattern={pattern}
              chosen={chosen}
              isStale={isStale || failure !== undefined}
              onToggle={(id) =>
                setClosed((old) => {
                  const next = new Set(old)
                  if (!next.delete(id)) next.add(id)
                  return next
                })
              }
              onChoose={(key) => {
                const [id, line] = key.split('.') as [string, string]
                if (isNarrow) openAt(id, line === '0' ? undefined : Number(line))
                else change({ at: key })
              }}
              onOpen={(key) => {
                const [id, line] = key.split('.') as [string, string]
                openAt(id, line === '0' ? undefined : Number(line))
              }}
              foot={
                <>
                  {hits && hits.length >= MAX_DOCUMENTS
                    ? `Only the first ${MAX_DOCUMENTS} documents that match are shown. Make the expression more specific to see others. `
                    : total !== undefined && `Searched ${total} ${total === 1 ? KINDS[kind].one : kind}. `}
                  Expressions are those of ripgrep: no look-around, no back-references.
                </>
              }
            />
          ) : (
            !failure &&
            !isWaiting && (
              <div className={css.pending}>
                <TextSkeleton />
              </div>
            )
          )}
        </section>
        {!isNarrow && chosen && hits && (
          <Preview
            kind={kind}
            id={chosen.split('.')[0]!}
            line={Number(chosen.split('.')[1])}
            pattern={pattern}
            at={at}
            total={stops.length}
            onStep={step}
            onOpen={open}
          />
        )}
      </div>
    </>
  )
}

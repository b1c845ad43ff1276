import type { Found } from '@slipway/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { clientOf } from '../../lib/client.ts'
import { listRecents } from '../../lib/recents.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { rowsQuery } from '../../work-orders/data/api.ts'
import type { WorkOrderRow } from '../../work-orders/work-order.ts'
import { codeOfFound, KINDS, kindNameOf } from './kinds.tsx'
import css from './Palette.module.css'
import type { Result, Section } from './Palette.tsx'

const MAX_SHOWN = 6
const AFTER_MS = 120

/** What matches the words: work orders by title at once, everything else as soon as the server has answered. */
export function useFound(projectId: string, words: string | undefined, onlyWorkOrders: boolean, onClose: () => void) {
  const router = useRouter()
  const rows = useQuery(rowsQuery(projectId)).data
  const asked = useSettled(words ?? '')
  const { data, isFetching } = useQuery({
    queryKey: [projectId, 'search', asked],
    queryFn: ({ signal }) => clientOf(projectId).search.everywhere({ q: asked, limit: MAX_SHOWN }, { signal }),
    enabled: asked !== '' && words !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const sections = useMemo((): Section[] => {
    if (words === undefined) return []
    const byId = new Map(rows?.map((row) => [row.id, row]))
    const known = words === '' ? recentOf(projectId, rows) : byTitle(rows ?? [], words)
    const ids = new Set(known.map(({ id }) => id))
    const found = words === '' ? [] : (data?.items ?? []).filter(({ id }) => !ids.has(id))
    const shown = [...known, ...found].filter(
      ({ kind }) => router.routesByPath[KINDS[kind].path as never] && (!onlyWorkOrders || kind === 'work_order'),
    )
    const toResult = (one: Found): Result => ({
      id: one.id,
      isKnown: ids.has(one.id),
      icon: KINDS[one.kind].icon(one),
      text: <Line found={one} words={words} />,
      end: <End found={one} row={byId.get(one.id)} />,
      ...(one.kind === 'work_order' ? { workOrderId: one.id } : {}),
      href: hrefOf(one),
      run() {
        onClose()
        router.history.push(hrefOf(one))
      },
    })
    const hrefOf = (one: Found) => {
      const { path, params, search } = KINDS[one.kind]
      const to = { to: path, params: { projectId, ...params(one) }, search: search?.(one) ?? {} }
      return router.buildLocation(to as never).href
    }
    if (words === '') return [{ name: 'Recent', results: shown.map(toResult) }]
    const names = [...new Set(Object.values(KINDS).map(({ section }) => section))]
    return names.map((name) => {
      const all = shown.filter(({ kind }) => KINDS[kind].section === name)
      const totals = data?.totals.filter(({ kind }) => KINDS[kind].section === name) ?? []
      const total = Math.max(
        all.length,
        totals.reduce((sum, one) => sum + one.total, 0),
      )
      const results = all.slice(0, MAX_SHOWN).map(toResult)
      return { name, results, count: total > results.length ? `${results.length} of ${total}` : String(total) }
    })
  }, [words, rows, data, projectId, onlyWorkOrders, router, onClose])
  return { sections, isStale: words !== undefined && (isFetching || asked !== words) }
}

/** The value once it has stopped changing. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const toFound = (row: WorkOrderRow): Found => ({
  kind: 'work_order',
  id: row.id,
  number: row.work_order_number,
  title: row.title,
  status: row.status,
  detail: null,
  snippet: null,
})

/** What was opened here, or else what changed last. */
function recentOf(projectId: string, rows: WorkOrderRow[] | undefined): Found[] {
  const opened = listRecents(projectId).filter(
    ({ kind, id }) => kind in KINDS && (kind !== 'work_order' || !rows || rows.some((row) => row.id === id)),
  )
  if (opened.length > 0)
    return opened.map((one): Found => {
      const row = rows?.find(({ id }) => id === one.id)
      return row ? toFound(row) : { ...one, kind: one.kind as Found['kind'], status: null, detail: null, snippet: null }
    })
  return [...(rows ?? [])]
    .sort((a, b) => (b.updated_at ?? '').localeCompare(a.updated_at ?? '') || b.work_order_number - a.work_order_number)
    .slice(0, MAX_SHOWN)
    .map(toFound)
}

function byTitle(rows: WorkOrderRow[], words: string): Found[] {
  const number = Number(/^(?:wo-?|#)?(\d+)$/i.exec(words)?.[1])
  const parts = words.toLowerCase().split(/\s+/)
  const exact = rows.filter((row) => row.work_order_number === number)
  const hits = rows.filter(({ title }) => parts.every((part) => title.toLowerCase().includes(part)))
  const starts = ({ title }: WorkOrderRow) => Number(title.toLowerCase().startsWith(parts[0]!))
  const sorted = hits.sort((a, b) => starts(b) - starts(a) || b.work_order_number - a.work_order_number)
  return [...new Set([...exact, ...sorted])].slice(0, MAX_SHOWN).map(toFound)
}

function Line({ found, words }: { found: Found; words: string }) {
  const code = codeOfFound(found)
  return (
    <>
      {code && <span className={css.code}>{code}</span>}
      <span className={css.title}>{marked(found.title, words)}</span>
      <span className={css.kind}>{found.snippet ? marked(oneLine(found.snippet), words) : kindNameOf(found)}</span>
    </>
  )
}

function End({ found, row }: { found: Found; row: WorkOrderRow | undefined }) {
  const status = row?.status ?? found.status
  return (
    <>
      {status && KINDS[found.kind].end?.(status)}
      {row && <Avatar person={row.assignee} />}
    </>
  )
}

const oneLine = (text: string) =>
  text
    .replace(/[*_`#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Marks the first place of each word. */
function marked(text: string, words: string) {
  const parts = words
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (parts.length === 0) return text
  return text.split(new RegExp(`(${parts.join('|')})`, 'gi')).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name.
    index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
  )
}

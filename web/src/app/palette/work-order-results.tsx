import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { clientOf } from '../../lib/client.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { IconChecklist } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { rowsQuery } from '../../work-orders/api.ts'
import { codeOf, STATUS_NAMES, type WorkOrderRow } from '../../work-orders/work-order.ts'
import css from './Palette.module.css'
import type { Section } from './Palette.tsx'

const MAX_SHOWN = 6
const MIN_LETTERS = 3

/** Titles match at once. The server also finds words of descriptions. */
export function useFoundWorkOrders(
  projectId: string,
  words: string | undefined,
  open: (number: number) => void,
): Section | undefined {
  const rows = useQuery(rowsQuery(projectId)).data
  const inText = useQuery({
    queryKey: [projectId, 'work-order-search', words],
    queryFn: async ({ signal }): Promise<WorkOrderRow[]> =>
      (await clientOf(projectId).workOrders.search({ query: words ?? '', limit: 20 }, { signal })).items,
    enabled: (words?.length ?? 0) >= MIN_LETTERS,
    placeholderData: keepPreviousData,
  }).data
  return useMemo(() => {
    if (words === undefined || !rows) return undefined
    const found = words === '' ? recent(rows) : byTitle(rows, words)
    const known = new Set(found.map(({ id }) => id))
    const more = words.length >= MIN_LETTERS ? (inText ?? []).filter(({ id }) => !known.has(id)) : []
    const all = [...found, ...more]
    const shown = all.slice(0, MAX_SHOWN)
    return {
      name: words === '' ? 'Recent work orders' : 'Work orders',
      count:
        words === '' ? undefined : all.length > shown.length ? `${shown.length} of ${all.length}` : String(all.length),
      results: shown.map((row) => ({
        id: row.id,
        icon: <IconChecklist size={15} stroke={1.75} />,
        text: (
          <>
            <span className={css.code}>{codeOf(row)}</span>
            <span className={css.title}>{marked(row.title, words)}</span>
            <span className={css.kind}>Work order</span>
          </>
        ),
        end: (
          <>
            <StatusRing status={row.status} />
            {STATUS_NAMES[row.status]}
            <Avatar person={row.assignee} />
          </>
        ),
        run: () => open(row.work_order_number),
      })),
    }
  }, [rows, inText, words, open])
}

const recent = (rows: WorkOrderRow[]) =>
  [...rows].sort(
    (a, b) => (b.updated_at ?? '').localeCompare(a.updated_at ?? '') || b.work_order_number - a.work_order_number,
  )

function byTitle(rows: WorkOrderRow[], words: string): WorkOrderRow[] {
  const number = /^(?:wo-?)?(\d+)$/i.exec(words)?.[1]
  const parts = words.toLowerCase().split(/\s+/)
  const hits = rows.filter(({ title }) => parts.every((part) => title.toLowerCase().includes(part)))
  const exact = number ? rows.filter((row) => row.work_order_number === Number(number)) : []
  return [...exact, ...hits.filter((row) => !exact.includes(row))]
}

function marked(title: string, words: string) {
  const part = words.split(/\s+/)[0] ?? ''
  const at = part ? title.toLowerCase().indexOf(part.toLowerCase()) : -1
  if (at < 0) return title
  return (
    <>
      {title.slice(0, at)}
      <mark>{title.slice(at, at + part.length)}</mark>
      {title.slice(at + part.length)}
    </>
  )
}

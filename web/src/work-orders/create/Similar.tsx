import * as api from '@slipway/sdk/resources'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { callOf } from '../../lib/client.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { IconCopy } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { rowsQuery } from '../api.ts'
import { codeOf, type Status, type WorkOrderRow } from '../work-order.ts'
import css from './Similar.module.css'

const LEAST_SHARED = 2
const LEAST_LIKENESS = 0.3

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? [])

/** The part of the words of both titles that they share, from 0 to 1. Two common words of a long title do not count. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared < LEAST_SHARED ? 0 : (2 * shared) / (a.size + b.size)
}

type Candidate = Pick<WorkOrderRow, 'work_order_number' | 'title' | 'status'>
const NONE: Candidate[] = []
const MAX_FOUND = 20

/** All work orders if the list is loaded, or those that the server finds by the two longest words. */
function useCandidates(projectId: string, title: string): Candidate[] {
  const listed = useQuery({ ...rowsQuery(projectId), enabled: false }).data
  const [first, second] = [...wordsOf(title)].sort((a, b) => b.length - a.length)
  const q = [first, second].sort().join(' ')
  const found = useQuery({
    queryKey: [projectId, 'search', 'similar', q],
    queryFn: async ({ signal }) => {
      const { items } = await api.search(callOf(projectId)).everywhere({ q, limit: MAX_FOUND }, { signal })
      return items.flatMap(({ kind, number, title, status }) =>
        kind === 'work_order' ? [{ work_order_number: number!, title, status: status as Status }] : [],
      )
    },
    enabled: listed === undefined && second !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  }).data
  return listed ?? (second === undefined ? NONE : (found ?? NONE))
}

/** The one that shares most words with the title, so that the same work is not planned twice. */
export function Similar({ projectId, title }: { projectId: string; title: string }) {
  const rows = useCandidates(projectId, useSettled(title))
  // Typing goes first: all titles are compared when there is time.
  const typed = useDeferredValue(title)
  const known = useMemo(() => rows.map((row) => ({ row, words: wordsOf(row.title) })), [rows])
  const found = useMemo(() => {
    const words = wordsOf(typed)
    let best: { row: Candidate; score: number } | undefined
    for (const one of known) {
      const score = likeness(words, one.words)
      if (score >= LEAST_LIKENESS && score > (best?.score ?? 0)) best = { row: one.row, score }
    }
    return best?.row
  }, [known, typed])
  if (!found) return null
  return (
    <p className={css.similar}>
      <IconCopy size={15} stroke={1.75} />
      Similar: <strong>{codeOf(found)}</strong> <span className={css.title}>{found.title}</span>
      <StatusRing status={found.status} size={14} />
      <a href={`/p/${projectId}/work-orders/${found.work_order_number}`} target="_blank" rel="noreferrer">
        Open beside
      </a>
    </p>
  )
}

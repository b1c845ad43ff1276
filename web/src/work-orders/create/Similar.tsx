import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { IconCopy } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { rowsQuery } from '../api.ts'
import { codeOf, type WorkOrderRow } from '../work-order.ts'
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

/** The one that shares most words with the title, so that the same work is not planned twice. */
export function Similar({ projectId, title }: { projectId: string; title: string }) {
  const rows = useQuery(rowsQuery(projectId)).data
  // Typing goes first: all titles are compared when there is time.
  const typed = useDeferredValue(title)
  const known = useMemo(() => rows?.map((row) => ({ row, words: wordsOf(row.title) })) ?? [], [rows])
  const found = useMemo(() => {
    const words = wordsOf(typed)
    let best: { row: WorkOrderRow; score: number } | undefined
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

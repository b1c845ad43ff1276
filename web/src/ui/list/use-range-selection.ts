import { useCallback, useRef } from 'react'
import type { Selection } from '../../lib/selection.ts'

/** Selects rows one by one, or with Shift all from the last one to this. */
export function useRangeSelection({ ids: selection, toggle }: Selection, ids: string[]) {
  const latest = useRef(ids)
  latest.current = ids
  const last = useRef<string>(undefined)
  const select = useCallback(
    (id: string, isRange: boolean) => {
      const all = latest.current
      const from = all.indexOf(last.current ?? '')
      const to = all.indexOf(id)
      last.current = id
      if (!isRange || from < 0) return toggle(id)
      selection.set((old) => new Set([...old, ...all.slice(Math.min(from, to), Math.max(from, to) + 1)]))
    },
    [selection, toggle],
  )
  const selectAll = useCallback(() => selection.set(new Set(latest.current)), [selection])
  return { select, selectAll }
}

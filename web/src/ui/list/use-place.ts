import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'

interface Line {
  row: { id: string } | undefined
}

interface Seen {
  lines: readonly Line[]
  focusedId: string | undefined
  /** The rows in view, with the place of each. */
  rows: { id: string; start: number }[]
}

/**
 * Keeps the first row in view where it is when the lines change. Returns whether it did: then the list does not scroll to
 * the row with the cursor, which somebody has scrolled away from.
 */
export function usePlace(
  isOn: boolean,
  scroller: RefObject<HTMLDivElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  lines: readonly Line[],
  focusedId: string | undefined,
): () => boolean {
  const seen = useRef<Seen>(undefined)
  const kept = useRef(false)
  useLayoutEffect(() => {
    const before = seen.current
    const element = scroller.current
    if (!isOn || !element) return
    kept.current = false
    if (before && before.lines !== lines && before.focusedId === focusedId) {
      const wanted = new Set(before.rows.map(({ id }) => id))
      const places = new Map<string, number>()
      for (const [index, { row }] of lines.entries()) if (row && wanted.has(row.id)) places.set(row.id, index)
      const anchor = element.scrollTop > 0 ? before.rows.find(({ id }) => places.has(id)) : undefined
      kept.current = !before.rows.some(({ id }) => id === focusedId)
      const start = anchor && virtual.measurementsCache[places.get(anchor.id)!]?.start
      if (start !== undefined && start !== anchor!.start) element.scrollTop += start - anchor!.start
    }
    const bottom = element.scrollTop + element.clientHeight
    const inView = virtual.measurementsCache.length === lines.length ? virtual.getVirtualItems() : []
    const rows = inView.flatMap(({ index, start, end }) => {
      const row = lines[index]?.row
      return row && end > element.scrollTop && start < bottom ? [{ id: row.id, start }] : []
    })
    seen.current = { lines, focusedId, rows }
  })
  return useCallback(() => kept.current, [])
}

import { type RefObject, useEffect, useRef } from 'react'
import type { ListHandle } from '../../../ui/list/use-cursor.ts'
import { AGAIN_MS, type InboxItem, MOST_AGAIN } from '../api.ts'
import { readRowsSoon } from '../read-rows.ts'

/** Asks for the suggestions of the reports in view until they are there. Those that are scrolled past are not computed. */
export function useDueSuggestions(projectId: string, rows: InboxItem[], list: RefObject<ListHandle | null>): void {
  const current = useRef(rows)
  current.current = rows
  useEffect(() => {
    const asked = new Map<string, number>()
    const ask = () => {
      const inView = new Set(list.current?.idsInView())
      const due = current.current.filter(({ id, is_suggestion_due }) => is_suggestion_due && inView.has(id))
      const again = due.map(({ id }) => id).filter((id) => (asked.get(id) ?? 0) < MOST_AGAIN)
      for (const id of again) asked.set(id, (asked.get(id) ?? 0) + 1)
      void readRowsSoon(projectId, again)
    }
    const timer = setInterval(ask, AGAIN_MS)
    return () => clearInterval(timer)
  }, [projectId, list])
}

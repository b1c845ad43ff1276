import type { InboxItem } from '../api.ts'
import { dayName } from './day-name.ts'

export interface Day {
  key: string
  name: string
  rows: InboxItem[]
  /** The day begins and ends at these times, as the API writes them. */
  from: string
  until: string
}

/**
 * The reports of each day. Times are compared as text, because reading each of 100,000 as a date takes longer than drawing
 * the list.
 */
export function daysOf(rows: InboxItem[]): Day[] {
  const days: Day[] = []
  for (const row of rows) {
    const last = days.at(-1)
    if (last && row.created_at >= last.from && row.created_at < last.until) last.rows.push(row)
    else days.push(dayOf(row))
  }
  return days
}

function dayOf(row: InboxItem): Day {
  const at = new Date(row.created_at)
  const start = (plusDays: number) => new Date(at.getFullYear(), at.getMonth(), at.getDate() + plusDays).toISOString()
  return { key: at.toDateString(), name: dayName(row.created_at), rows: [row], from: start(0), until: start(1) }
}

import { dayOf } from '../../../lib/time.ts'

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' })
const WEEK_MS = 7 * 86_400_000

/** Today, Yesterday, Friday, Nov 13, and after a week only Nov 3. */
export function dayName(iso: string, now = new Date()): string {
  const day = dayOf(iso, now)
  const isNear = now.getTime() - Date.parse(iso) < WEEK_MS
  return isNear && day !== 'Today' && day !== 'Yesterday' ? `${weekday.format(new Date(iso))}, ${day}` : day
}

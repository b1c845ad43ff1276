const DAY_MS = 86_400_000

const startOfDay = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime()
const monthDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const monthDayYear = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: 'numeric' })
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const full = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' })

/** The day as lists show it: Today, Yesterday, Nov 13. */
export function dayOf(iso: string, now = new Date()): string {
  const time = new Date(iso)
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY_MS)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return time.getFullYear() === now.getFullYear() ? monthDay.format(time) : monthDayYear.format(time)
}

/** The moment as comments show it: 9 min, Yesterday, 16:02, Nov 12. */
export function momentOf(iso: string, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - new Date(iso).getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min`
  const day = dayOf(iso, now)
  if (day === 'Today') return clock.format(new Date(iso))
  return day === 'Yesterday' ? `Yesterday, ${clock.format(new Date(iso))}` : day
}

/** The moment in a sentence: 9 min ago, at 16:02, yesterday at 16:02, on Nov 12. */
export function whenOf(iso: string, now = new Date()): string {
  const moment = momentOf(iso, now)
  if (moment === 'just now') return moment
  if (moment.endsWith(' min')) return `${moment} ago`
  if (moment.startsWith('Yesterday, ')) return moment.replace('Yesterday, ', 'yesterday at ')
  return dayOf(iso, now) === 'Today' ? `at ${moment}` : `on ${moment}`
}

export const fullTimeOf = (iso: string) => full.format(new Date(iso))

const seconds = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' })
/** The time of day: 22:41, or 22:41:08. */
export const clockOf = (ms: number) => clock.format(ms)
export const exactTimeOf = (ms: number) => seconds.format(ms)

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const RECENT_MIN = 10

/** The time since: now, 8 minutes ago, 1 hour ago, yesterday, Nov 13. */
export function agoOf(iso: string, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - new Date(iso).getTime()) / 60_000)
  if (minutes < 2) return 'now'
  if (minutes < 60) return relative.format(-minutes, 'minute')
  if (minutes < 12 * 60) return relative.format(-Math.round(minutes / 60), 'hour')
  const day = dayOf(iso, now)
  return day === 'Today' || day === 'Yesterday' ? day.toLowerCase() : day
}

export const isRecent = (iso: string, now = new Date()) => now.getTime() - Date.parse(iso) < RECENT_MIN * 60_000

export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
export const daysUntil = (iso: string) => Math.ceil((Date.parse(iso) - Date.now()) / DAY_MS)

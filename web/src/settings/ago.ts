import { dayOf } from '../lib/time.ts'

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

const DAY_MS = 86_400_000
export const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
export const daysUntil = (iso: string) => Math.ceil((Date.parse(iso) - Date.now()) / DAY_MS)

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

/** The device as its owner would call it: Chrome on macOS. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const nameIn = (list: [RegExp, string][]) => list.find(([sign]) => sign.test(userAgent))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? userAgent.split(/[/ ]/, 1)[0]!
}

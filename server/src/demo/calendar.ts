import { storyTime } from './story-time.ts'

const ZONE = 'Europe/Amsterdam'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Where the story stands when it is read, and where its last day began. */
const STORY_NOW = storyTime('Nov 15 22:46')
const STORY_DAY = storyTime('Nov 15 00:00')
/** What happened just before now keeps its distance: "8 minutes ago". */
const RECENT_MS = 120 * MINUTE_MS

/**
 * Maps times of the story to real ones, so that its end is now. Earlier days keep their times of day, which schedules
 * name; the last day is fitted into as much as there has been of today.
 */
export function calendarOf(now: number): (at: number) => number {
  const today = startOfDay(now)
  const [passed, told] = [now - today, STORY_NOW - STORY_DAY]
  const recent = Math.min(RECENT_MS, passed / 2)
  return (at) => {
    if (at < STORY_DAY) return today - (STORY_DAY - at)
    const ago = STORY_NOW - at
    if (passed >= told) return now - ago
    if (ago <= RECENT_MS) return now - (ago * recent) / RECENT_MS
    return now - recent - ((ago - RECENT_MS) / (told - RECENT_MS)) * (passed - recent)
  }
}

function startOfDay(now: number): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'medium' }).format(now)
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  const passed = ((hours * 60 + minutes) * 60 + seconds) * 1000 + (now % 1000)
  return now - (passed % DAY_MS)
}

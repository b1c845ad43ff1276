import { type Entry, listOf } from './content.ts'
import { storyTime } from './story-time.ts'

/** A report, with what became of it. */
export interface Item {
  number: number
  at: number
  email: string
  content: string
  /** The theme that it belongs to, if any. */
  theme: number | undefined
  /** Another theme that quotes it. */
  alsoTheme: number | undefined
  quote: string
  /** Waits in the inbox. */
  isOpen: boolean
  /** Who linked it, if not the automation, and when, if not at once. */
  linkedBy: string | undefined
  linkedAt: number | undefined
  files: string[]
  channel: string
}

type Draft = Omit<Item, 'number' | 'at' | 'channel'> & { number: number | undefined; place: number }

/** How many reports came on the last days; from that on the numbers follow from the curve. */
const DAYS: [day: string, first: number, count: number][] = [
  ['Nov 2', 161, 3],
  ['Nov 3', 164, 2],
  ['Nov 4', 166, 3],
  ['Nov 5', 169, 2],
  ['Nov 6', 171, 3],
  ['Nov 7', 174, 1],
  ['Nov 8', 175, 1],
  ['Nov 9', 176, 6],
  ['Nov 10', 182, 6],
  ['Nov 11', 188, 3],
  ['Nov 12', 191, 9],
  ['Nov 13', 200, 4],
  ['Nov 14', 204, 6],
  ['Nov 15', 210, 5],
]
/** Between reports of the inbox, which name their time. */
const EXACT: Record<number, string> = { 202: 'Nov 13 14:30', 204: 'Nov 14 07:05', 209: 'Nov 14 23:20' }
const HOUR_MS = 3_600_000

/** When the report with a number came in: few at first, more each week. */
function timeOf(number: number): number {
  if (EXACT[number]) return storyTime(EXACT[number])
  const day = DAYS.findLast(([, first]) => number >= first)
  if (day) {
    const [name, first, count] = day
    return storyTime(`${name} 08:05`) + ((number - first + 0.35) / count) * 13 * HOUR_MS
  }
  const [begin, middle, end] = [storyTime('Aug 24 08:40'), storyTime('Oct 17 07:50'), storyTime('Nov 1 21:30')]
  if (number <= 108) return begin + ((number - 1) / 108) ** 0.75 * (middle - begin)
  return middle + ((number - 109) / 52) * (end - middle)
}

/** Where in the order of all reports those of a theme stand, from 0 to 1. */
const TRENDS: Record<string, (share: number) => number> = {
  growing: (share) => share ** 0.55,
  flat: (share) => share,
  fading: (share) => share ** 1.6 * 0.95,
  early: (share) => share * 0.55,
  late: (share) => 0.7 + share * 0.3,
}

/** Gives every report its number: those that name one keep it, the others fill the gaps in the order of their trend. */
export function numberItems(entries: Entry[]): Item[] {
  const drafts = entries.flatMap(draftsOf)
  const taken = new Set(drafts.map((one) => one.number))
  const free = Array.from({ length: drafts.length }, (_, index) => index + 1).filter((one) => !taken.has(one))
  const numbered = drafts
    .toSorted((a, b) => a.place - b.place)
    .map((one) => ({ ...one, number: one.number ?? free.shift()! }))
    .toSorted((a, b) => a.number - b.number)
  const channelOf = channels(numbered.filter((one) => !one.isOpen).length)
  return numbered.map(({ place: _, ...one }) => ({
    ...one,
    at: one.isOpen ? one.linkedAt! : timeOf(one.number),
    channel: one.isOpen ? (OPEN_CHANNELS[one.number] ?? 'Web shop') : channelOf(),
  }))
}

function draftsOf({ name, fields, notes }: Entry): Draft[] {
  const theme = /^\d+/.exec(name)?.[0]
  const lines = notes.find((note) => note.kind === 'items')?.text.split('\n') ?? []
  const trend = TRENDS[fields.trend ?? 'flat']!
  return lines.map((line, index) => ({
    ...draftOf(line),
    theme: theme === undefined ? undefined : Number(theme),
    isOpen: name === 'inbox',
    place: trend((index + 0.5) / lines.length),
  }))
}

/** "176 p.silva@uol.example: Title ¶ More. >> quote ++ 20 by Ada @ Nov 9 10:00 [file.png]" */
function draftOf(line: string): Omit<Draft, 'theme' | 'isOpen' | 'place'> {
  const [, number, email, rest] = /^(?:(\d+) )?(\S+@\S+): (.*)$/.exec(line) ?? []
  if (!email) throw new Error(`The demo has feedback that cannot be read: "${line}".`)
  let text = rest!
  const take = (pattern: RegExp) => {
    const found = pattern.exec(text)
    if (found) text = text.replace(found[0], '')
    return found?.[1]
  }
  const files = listOf(take(/ \[([\w., -]+)\]$/))
  const at = take(/ @ (\w+ \d+ [\d:]+)$/)
  const linkedBy = take(/ by (Ada|Grace|Katherine|Radia)$/)
  const alsoTheme = take(/ \+\+ (\d+)$/)
  const quote = take(/ >> (.*)$/)
  const content = text.split(' ¶ ').join('\n\n')
  return {
    number: number === undefined ? undefined : Number(number),
    email,
    content,
    quote: quote ?? (text.includes(' ¶ ') ? text.split(' ¶ ').at(-1)! : text),
    alsoTheme: alsoTheme === undefined ? undefined : Number(alsoTheme),
    linkedBy,
    linkedAt: at === undefined ? undefined : storyTime(at),
    files,
  }
}

const OPEN_CHANNELS: Record<number, string> = { 214: 'iOS app', 208: 'iOS app', 206: 'Support desk' }
const IN_APP = 56
const AT_SUPPORT = 14

/** Most come through the shop; the app and the support desk have their share, evenly spread. */
function channels(total: number): () => string {
  const isDue = (share: number, at: number) => Math.floor(((at + 1) * share) / total) > Math.floor((at * share) / total)
  let next = 0
  return () => {
    const at = next++
    if (isDue(IN_APP, at)) return 'iOS app'
    // One off, so that the two do not meet.
    return isDue(AT_SUPPORT, (at + 1) % total) ? 'Support desk' : 'Web shop'
  }
}

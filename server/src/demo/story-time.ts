const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const HOUR_MS = 3_600_000

/** Turns "Nov 12 16:02" into a time of the story, which happens in Amsterdam in 2026. Seconds may follow. */
export function storyTime(text: string): number {
  const [, month, day, hour, minute, second = '0'] = /^(\w{3}) (\d+) (\d+):(\d+)(?::(\d+))?$/.exec(text) ?? []
  const index = MONTHS.indexOf(month!)
  if (index === -1) throw new Error(`"${text}" is not a time like "Nov 12 16:02".`)
  return Date.UTC(2026, index, Number(day), Number(hour), Number(minute), Number(second)) - HOUR_MS
}

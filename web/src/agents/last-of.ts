const DRAWN = 10_000

/**
 * The end of what is being said, if it is long. With each word it is drawn again, and a model that never ends would take
 * all the time of the page. What is cut moves in steps, so that the text does not change its look with each word.
 */
export function lastOf(said: string): string {
  if (said.length < 2 * DRAWN) return said
  const from = (Math.floor(said.length / DRAWN) - 1) * DRAWN
  const line = said.indexOf('\n', from) + 1
  return `…\n\n${said.slice(line > 0 && line < from + DRAWN / 2 ? line : from)}`
}

/** How often a text is read to find out which backslashes it needs. The rest of a long text keeps its backslashes. */
const MAX_READS = 60
const MAX_CHARACTERS_READ = 500_000

const ESCAPE = /\\[!-/:-@[-`{-~]/g

/** Drops the backslashes without which the text reads the same, first many at once, then fewer. */
export function withFewestEscapes(text: string, readsSame: (text: string) => boolean): string {
  const places = [...text.matchAll(ESCAPE)].map(({ index }) => index)
  let reads = Math.min(MAX_READS, Math.floor(MAX_CHARACTERS_READ / (text.length + 1)))
  let dropped = new Set<number>()
  const drop = (from: number, to: number) => {
    if (from >= to || reads-- <= 0) return
    const more = new Set([...dropped, ...places.slice(from, to)])
    if (readsSame(without(text, more))) {
      dropped = more
      return
    }
    if (to - from === 1) return
    const middle = (from + to) >> 1
    drop(from, middle)
    drop(middle, to)
  }
  drop(0, places.length)
  return without(text, dropped)
}

function without(text: string, places: ReadonlySet<number>): string {
  const parts: string[] = []
  let pos = 0
  for (const at of [...places].sort((a, b) => a - b)) {
    parts.push(text.slice(pos, at))
    pos = at + 1
  }
  return parts.join('') + text.slice(pos)
}

const KINDS = ['note', 'tip', 'important', 'warning', 'caution'] as const
export type Callout = (typeof KINDS)[number]

/** The first line of a quote that GitHub shows as a callout. */
const FIRST_LINE = /^\[!([a-z]+)\][ \t]*$/i

export function readCallout(line: string): Callout | undefined {
  const word = FIRST_LINE.exec(line)?.[1]?.toLowerCase()
  return KINDS.find((kind) => kind === word)
}

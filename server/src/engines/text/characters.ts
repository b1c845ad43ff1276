// Measures texts in characters: Unicode code points, as the schemas and PostgreSQL count them. No function builds a list
// of them, because a text may have millions.

/** Control characters except tab, LF and CR. PostgreSQL cannot store NUL, and no text needs the others. */
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** Avoids counting for most texts: a code point takes at most two UTF-16 units. */
export const isLongerThan = (text: string, limit: number) =>
  text.length > limit && (text.length > 2 * limit || endOf(text, limit) < text.length)

/** Returns the first `count` characters without splitting a surrogate pair. */
export const firstCharacters = (text: string, count: number) => text.slice(0, endOf(text, count))

/** Shortens a text to at most `limit` characters, including the ellipsis. */
export const cut = (text: string, limit: number) =>
  isLongerThan(text, limit) ? `${firstCharacters(text, limit - 1).trimEnd()}…` : text

function endOf(text: string, count: number): number {
  let at = 0
  for (let seen = 0; seen < count && at < text.length; seen++) at = next(text, at)
  return at
}

const next = (text: string, at: number) => at + (text.codePointAt(at)! > 0xffff ? 2 : 1)

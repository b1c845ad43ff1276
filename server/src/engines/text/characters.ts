/**
 * Texts measured in characters: Unicode code points, as the schemas and PostgreSQL count them. Nothing here builds a list
 * of them: a text may have millions.
 */

/** Control characters other than tab, LF and CR: PostgreSQL stores no NUL, and no text needs the others. */
export const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/

/** No character takes more than two units of a string, so most texts need not be looked at. */
export const isLongerThan = (text: string, limit: number) =>
  text.length > limit && (text.length > 2 * limit || endOf(text, limit) < text.length)

/** The first `count` characters, none of them in half. */
export const firstCharacters = (text: string, count: number) => text.slice(0, endOf(text, count))

/** Shortens to at most `limit` characters, including the ellipsis. */
export const cut = (text: string, limit: number) =>
  isLongerThan(text, limit) ? `${firstCharacters(text, limit - 1).trimEnd()}…` : text

function endOf(text: string, count: number): number {
  let at = 0
  for (let seen = 0; seen < count && at < text.length; seen++) at = next(text, at)
  return at
}

const next = (text: string, at: number) => at + (text.codePointAt(at)! > 0xffff ? 2 : 1)

import { decodeHTMLStrict } from 'entities/decode'

const ESCAPES = /\\([!-/:-@[-`{-~])|&(?:[a-z][a-z0-9]{1,31}|#(?:x[a-f0-9]{1,6}|[0-9]{1,7}));/gi

/** What a text must not contain, and the replacement character. */
const NO_TEXT = /[^\P{Cc}\t\n\f\r]|\p{Noncharacter_Code_Point}|\ufffd/u

/** Replaces backslash escapes and entities by what they mean, unless that is no text. */
export function unescapeText(text: string): string {
  if (!text.includes('\\') && !text.includes('&')) return text
  return text.replace(ESCAPES, (found: string, escaped?: string) => {
    const said = escaped ?? decodeEntity(found)
    return NO_TEXT.test(said) ? found : said
  })
}

/** Returns an entity that does not exist as it is. */
export function decodeEntity(entity: string): string {
  if (entity[1] !== '#') return decodeHTMLStrict(entity)
  const code = /^&#x/i.test(entity) ? Number.parseInt(entity.slice(3), 16) : Number.parseInt(entity.slice(2), 10)
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return valid ? String.fromCodePoint(code) : '\ufffd'
}

import { CONTROL, cut } from '../../engines/text/characters.ts'

const EVERY_CONTROL = new RegExp(CONTROL, 'g')

/** Replaces characters that must not be stored or shown. */
export const cleaned = (text: string) => text.toWellFormed().replace(EVERY_CONTROL, '\ufffd')

/** Removes secrets from what a model or a tool says, wherever it got them. */
export function redactor(secrets: (string | undefined)[]): (text: string) => string {
  const known = secrets.filter((one): one is string => one !== undefined && one.length >= 8)
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), cleaned(text))
}

/**
 * Removes secrets from a text that arrives in pieces. Holds back the end of a piece that may be the beginning of a
 * secret, or half a character.
 */
export function streamRedactor(secrets: (string | undefined)[]) {
  const known = secrets.filter((one): one is string => one !== undefined && one.length >= 8)
  const hide = redactor(known)
  let held = ''
  return {
    push(text: string): string {
      held = known.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), held + text)
      const keep = Math.max(0, ...known.map((secret) => overlap(held, secret)), endsInHalf(held) ? 1 : 0)
      const ready = held.slice(0, held.length - keep)
      held = held.slice(held.length - keep)
      return hide(ready)
    },
    end(): string {
      const rest = hide(held)
      held = ''
      return rest
    },
  }
}

/** How much of the end of a text is the beginning of a secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}

const endsInHalf = (text: string) => /[\ud800-\udbff]$/.test(text)

/** The title of a conversation that was not given one. */
export const titleOf = (text: string) =>
  cut(withoutLinks(cleaned(text)).replace(/\s+/g, ' ').trim(), 200) || 'Conversation'

/** Links to things of the project show only their words. */
const withoutLinks = (text: string) => text.slice(0, 2_000).replace(/\[([^[\]]{1,300})\]\(\/[^()\s]{0,500}\)/g, '$1')

const LONGEST_OUTPUT = 50_000

/** The result of a tool, as a model reads it and as it is stored. */
export function outputText(output: unknown): string {
  let left = 0
  // A long document would take 10 ms and more to encode.
  const shorten = (_key: string, value: unknown) => {
    if (typeof value !== 'string' || value.length <= LONGEST_OUTPUT) return value
    left += value.length - LONGEST_OUTPUT
    return value.slice(0, LONGEST_OUTPUT)
  }
  const text = typeof output === 'string' ? output : (JSON.stringify(output, shorten) ?? 'null')
  if (text.length <= LONGEST_OUTPUT) return text
  return `${text.slice(0, LONGEST_OUTPUT).toWellFormed()}\n[cut: ${text.length + left} characters in all. Ask for less, such as a page or some lines.]`
}

import { CONTROL, cut } from '../engines/text/characters.ts'

const EVERY_CONTROL = new RegExp(CONTROL, 'g')

/** Replaces characters that must not be stored or shown. */
export const cleaned = (text: string) => text.toWellFormed().replace(EVERY_CONTROL, '\ufffd')

/** Removes secrets from what a model or a tool says, wherever it got them. */
export function redactor(secrets: (string | undefined)[]): (text: string) => string {
  const known = secrets.filter((one): one is string => one !== undefined && one.length >= 8)
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), cleaned(text))
}

/** The title of a conversation that was not given one. */
export const titleOf = (text: string) => cut(cleaned(text).replace(/\s+/g, ' ').trim(), 200) || 'Conversation'

const LONGEST_OUTPUT = 50_000

/** The result of a tool, as a model reads it and as it is stored. */
export function outputText(output: unknown): string {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null')
  if (text.length <= LONGEST_OUTPUT) return text
  return `${text.slice(0, LONGEST_OUTPUT).toWellFormed()}\n[cut: ${text.length} characters in all. Ask for less, such as a page or some lines.]`
}

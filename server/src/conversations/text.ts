import { CONTROL, cut } from '../engines/text/characters.ts'

const EVERY_CONTROL = new RegExp(CONTROL, 'g')

/** Text as it may be stored and shown: without characters that no text has. */
export const cleaned = (text: string) => text.toWellFormed().replace(EVERY_CONTROL, '\ufffd')

/** Takes secrets out of what a model or a tool says, wherever it got them from. */
export function redactor(secrets: (string | undefined)[]): (text: string) => string {
  const known = secrets.filter((one): one is string => one !== undefined && one.length >= 8)
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), cleaned(text))
}

/** The title of a conversation that got none. */
export const titleOf = (text: string) => cut(cleaned(text).replace(/\s+/g, ' ').trim(), 200) || 'Conversation'

const LONGEST_OUTPUT = 50_000

/** What a tool gave, as a model reads it and as it is kept. */
export function outputText(output: unknown): string {
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null')
  if (text.length <= LONGEST_OUTPUT) return text
  return `${text.slice(0, LONGEST_OUTPUT).toWellFormed()}\n[cut: ${text.length} characters in all. Ask for less, such as a page or some lines.]`
}

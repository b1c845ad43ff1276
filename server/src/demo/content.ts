import { readFileSync } from 'node:fs'

/** One entry of a content file: "=== Name", lines of "key: value", a blank line, the text, and notes that begin "@@". */
export interface Entry {
  name: string
  fields: Record<string, string>
  text: string
  notes: Note[]
}

/** "@@ comment Grace, Nov 14 16:02" and what stands below it. */
export interface Note {
  kind: string
  words: string[]
  text: string
}

const folder = new URL('./content/', import.meta.url)

export const contentFile = (name: string) => readFileSync(new URL(name, folder))

export const contentText = (name: string) => contentFile(name).toString('utf8')

export function entriesOf(file: string): Entry[] {
  const [, ...parts] = `\n${contentText(file)}`.split(/\n=== /)
  return parts.map(toEntry)
}

function toEntry(part: string): Entry {
  const [head = '', ...paragraphs] = part.split('\n\n')
  const [name = '', ...lines] = head.trim().split('\n')
  const [text = '', ...notes] = `\n${paragraphs.join('\n\n')}`.split(/\n@@ /)
  return { name: name.trim(), fields: fieldsOf(lines), text: text.trim(), notes: notes.map(toNote) }
}

function fieldsOf(lines: string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, key, value] = /^([a-z ]+): (.*)$/.exec(line) ?? []
      if (!key) throw new Error(`The demo has a line that is not "key: value": "${line}".`)
      return [key, value!.trim()]
    }),
  )
}

function toNote(note: string): Note {
  const end = note.indexOf('\n')
  const head = end === -1 ? note : note.slice(0, end)
  const [, kind = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(head) ?? []
  const text = end === -1 ? '' : note.slice(end + 1).trim()
  return { kind, words: rest === '' ? [] : rest.split(',').map((word) => word.trim()), text }
}

/** "checkout, payments" as a list. */
export const listOf = (text: string | undefined, separator = ',') =>
  (text ?? '')
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '')

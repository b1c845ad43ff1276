import { createHash } from 'node:crypto'
import { cut, isLongerThan } from '../../../engines/text/characters.ts'
import { quoted } from '../../../kernel/errors.ts'
import type { Priority, WorkOrderStatus, WorkOrderType } from '../../work-orders/index.ts'
import type { Columns, Field } from './columns.ts'
import type { CsvRow } from './csv.ts'
import { PRIORITY_WORDS, STATUS_WORDS, TYPE_WORDS, wordOf } from './words.ts'

const TITLE_CHARACTERS = 500
const TEXT_CHARACTERS = 500_000
const MOST_LABELS = 20
const LABEL_CHARACTERS = 100
const MOST_SCANNED = 1_000
const SCANNED_CHARACTERS = 1_000
const SEPARATOR = /[,;]/g
export const CANCELED = 'canceled'

export interface Member {
  id: string
  name: string
  email: string
}

/** What a row becomes. */
export interface Planned {
  line: number
  /** Tells it from the other rows of the source, also in a second file. */
  key: string
  /** What the row calls itself. Null if it has no name of its own. */
  shownKey: string | null
  alias: string | null
  parent: string | null
  title: string
  description: string
  status: WorkOrderStatus
  priority: Priority
  type: WorkOrderType
  assignee: Member | null
  labels: string[]
  phase: string | null
  problems: string[]
  /** Why nothing becomes of it. */
  refusal: string | null
}

/** Returns a function that plans one row after the other. It remembers only what rows are called. */
export function createPlanner(columns: Columns, members: Member[]) {
  const seen = new Map<string, number>()
  const byName = new Map<string, Member>()
  for (const member of members.toReversed())
    for (const name of [member.name, member.email]) byName.set(name.toLowerCase(), member)

  return ({ line, cells }: CsvRow): Planned => {
    const problems: string[] = []
    const stripped = new Set<Field>()
    function* valuesOf(field: Field) {
      for (const place of columns.places[field]) {
        const cell = cells[place] ?? ''
        if (cell.search(CONTROL) !== -1) stripped.add(field)
        const value = clean(cell)
        if (value !== '') yield value
      }
    }
    const firstOf = (field: Field): string => valuesOf(field).next().value ?? ''
    const given = firstOf('key')
    const title = firstOf('title').replaceAll(/\s+/g, ' ')
    if (isLongerThan(title, TITLE_CHARACTERS)) problems.push(`The title is cut after ${TITLE_CHARACTERS} characters.`)
    const read = <T extends string>(field: Field, words: Record<string, T>, otherwise: T): T => {
      const value = firstOf(field)
      const found = words[wordOf(value)]
      if (value !== '' && !found)
        problems.push(`The ${field} ${quoted(value)} is not known, so it becomes "${otherwise}".`)
      return found ?? otherwise
    }
    const status = read('status', STATUS_WORDS, 'backlog')
    const named = firstOf('assignee')
    const assignee = byName.get(named.toLowerCase()) ?? null
    if (named !== '' && !assignee)
      problems.push(`${quoted(named)} is no member of this project, so nobody is assigned.`)
    const isCanceled = wordOf(firstOf('status')).startsWith('cancel')
    const description = firstOf('description')
    if (isLongerThan(description, TEXT_CHARACTERS))
      problems.push(`The description is cut after ${TEXT_CHARACTERS} characters.`)
    const labels = distinct(valuesOf('labels'), isCanceled ? [CANCELED] : [])
    if (labels.some((label) => isLongerThan(label, LABEL_CHARACTERS)))
      problems.push(`A label is cut after ${LABEL_CHARACTERS} characters.`)
    if (labels.length > MOST_LABELS) problems.push(`Only the first ${MOST_LABELS} labels come.`)
    const key = given || unnamedKey(title, description)
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    const refusal =
      title === '' ? 'It has no title.' : given && times > 1 ? `${quoted(given)} is in the file twice.` : null
    const phase = columns.source === 'jira' ? [...valuesOf('phase')].at(-1) : firstOf('phase')
    if (phase && isLongerThan(unnumbered(phase), TITLE_CHARACTERS))
      problems.push(`The phase is cut after ${TITLE_CHARACTERS} characters.`)
    const [alias, parent] = [firstOf('alias') || null, firstOf('parent') || null]
    const priority = read('priority', PRIORITY_WORDS, 'no_priority')
    const type = read('type', TYPE_WORDS, 'none')
    for (const field of stripped) problems.push(`Control characters in the ${field} are left out.`)
    return {
      line,
      key: given ? key : `${key} ${times}`,
      shownKey: given || null,
      alias,
      parent,
      title: cut(title, TITLE_CHARACTERS),
      description: cut(description, TEXT_CHARACTERS),
      status,
      priority,
      type,
      assignee,
      labels: labels.slice(0, MOST_LABELS).map((label) => cut(label, LABEL_CHARACTERS)),
      phase: phase ? cut(unnumbered(phase), TITLE_CHARACTERS) : null,
      problems,
      refusal,
    }
  }
}

/** Rows without a name of their own are told apart by what they say. */
const unnamedKey = (title: string, description: string) =>
  `sha256:${createHash('sha256')
    // The same row may come from a program that ends lines differently.
    .update(JSON.stringify([title, description.replaceAll('\r\n', '\n')]))
    .digest('hex')}`

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Without what a title or a text must not contain, and without the sign that keeps spreadsheets from running a formula. */
const clean = (value: string) =>
  value
    .toWellFormed()
    .replace(CONTROL, '')
    .replace(/^'(?=[=+\-@])/, '')
    .trim()

/** Our own lists write "2 · Checkout". */
const unnumbered = (phase: string) => phase.replace(/^\d+ · /, '')

/** Looks at the first labels of a row only, because it may have millions. */
function distinct(cells: Iterable<string>, more: string[]): string[] {
  const byName = new Map<string, string>()
  let scanned = 0
  const add = (label: string) => {
    const title = label.trim().slice(0, SCANNED_CHARACTERS).replaceAll(/\s+/g, ' ')
    const name = cut(title, LABEL_CHARACTERS).toLowerCase()
    if (title !== '' && !byName.has(name)) byName.set(name, title)
  }
  for (const title of more) add(title)
  for (const cell of cells)
    for (let from = 0; from <= cell.length && byName.size <= MOST_LABELS && scanned < MOST_SCANNED; scanned++) {
      const end = endOfLabel(cell, from)
      add(cell.slice(from, end))
      from = end + 1
    }
  return [...byName.values()]
}

function endOfLabel(cell: string, from: number): number {
  SEPARATOR.lastIndex = from
  return SEPARATOR.exec(cell)?.index ?? cell.length
}

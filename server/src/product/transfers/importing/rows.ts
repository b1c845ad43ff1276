import { createHmac, randomBytes } from 'node:crypto'
import type { ErrorObject } from 'ajv'
import { AppError } from '../../../kernel/errors.ts'
import { bodyChecker } from '../../../kernel/http/validation.ts'
import { type MovedTable, type Row, referring } from '../../../kernel/moving/table.ts'
import { type Archive, type Line, readLines } from './archive.ts'
import { unusable } from './unusable.ts'

const MOST_ROWS = 500
const BATCH_CHARACTERS = 1024 * 1024
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** A file of rows, as the manifest describes it. */
export interface Listed {
  path: string
  sha256: string
}

const at = (path: string, line: number | string) => `"${path}", line ${line}`

/** Reads and checks the rows of a file. */
export async function* checkedRows(archive: Archive, file: Listed, shape: object) {
  const check = bodyChecker(shape)
  for await (const { text, number } of readLines(archive, file)) {
    const row = parsed(file, { text, number })
    const faults = check(row)
    if (faults) throw unusable(`${at(file.path, number)}: ${describeFault(faults[0])}`)
    yield { row, number }
  }
}

function parsed(file: Listed, { text, number }: Line): Row {
  try {
    return JSON.parse(text) as Row
  } catch {
    throw unusable(`${at(file.path, number)}: this is not JSON.`)
  }
}

const describeFault = (fault: ErrorObject | undefined) =>
  `${fault?.instancePath ? `"${fault.instancePath.slice(1)}" ` : ''}${fault?.message ?? 'this is not as it should be'}.`

/** Whom rows may refer to, and the ids that the rows have. */
export interface Ids {
  people: Set<string>
  keys: Set<string>
  rows: Set<string>
}

/** Notes the id of each row, and refuses people and keys that the file does not describe. */
export function createNoter(table: MovedTable, ids: Ids) {
  const [ofPeople, ofKeys] = [referring(table, 'person'), referring(table, 'key')]
  return (row: Row): void => {
    if (typeof row.id === 'string') ids.rows.add(row.id)
    for (const column of ofPeople) refuseUnknown(row, column, ids.people, 'people.jsonl')
    for (const column of ofKeys) refuseUnknown(row, column, ids.keys, 'keys.jsonl')
  }
}

function refuseUnknown(row: Row, column: string, known: Set<string>, file: string): void {
  if (row[column] !== null && !known.has(row[column] as string))
    throw unusable(`"${column}" names "${row[column]}", which is not in "${file}".`)
}

/**
 * Gives everything a new id, wherever a line names it, because no id may be on a server twice. The new one keeps the time
 * in the old one, and so the order; the rest cannot be foreseen by whoever made the file.
 */
export function createRenewal({ rows }: Ids, settled: Map<string, string>): (text: string) => string {
  const secret = randomBytes(32)
  const renewed = (id: string) => {
    const tail = createHmac('sha256', secret).update(id).digest()
    const variant = ((tail[0]! & 0x3f) | 0x80).toString(16)
    return `${id.slice(0, 19)}${variant}${tail.toString('hex', 1, 2)}-${tail.toString('hex', 2, 8)}`
  }
  return (text) => text.replace(UUID, (id) => settled.get(id) ?? (rows.has(id) ? renewed(id) : id))
}

interface Source {
  archive: Archive
  file: Listed
  table: MovedTable
  renew: (text: string) => string
  /** The keys of the bytes, in the order of the rows. */
  bytes: Iterator<string | null>
}

/** Rows that are inserted together, as a list in JSON. */
export interface Batch {
  text: string
  rows: number
  /** Which lines of the file they are. */
  where: string
}

/** Makes the rows of a file that was checked before what they are here, some at a time. */
export async function* renewedRows({ archive, file, table, renew, bytes }: Source): AsyncGenerator<Batch> {
  let rows: Row[] = []
  let characters = 0
  let last = 0
  const batch = (): Batch => {
    const where = at(file.path, `${last - rows.length + 1} to ${last}`)
    return { text: JSON.stringify(rows), rows: rows.length, where }
  }
  for await (const line of readLines(archive, file)) {
    last = line.number
    const row = parsed(file, { ...line, text: renew(line.text) })
    if (table.bytes) row[table.bytes.key] = bytes.next().value ?? null
    if (table.bytes?.same) row[table.bytes.same] = parsed(file, line)[table.bytes.same]
    rows.push(arrive(table, row, at(file.path, line.number)))
    characters += line.text.length
    if (rows.length < MOST_ROWS && characters < BATCH_CHARACTERS) continue
    yield batch()
    rows = []
    characters = 0
  }
  if (rows.length > 0) yield batch()
}

function arrive(table: MovedTable, row: Row, where: string): Row {
  try {
    return table.arrive ? table.arrive(row) : row
  } catch (err) {
    throw err instanceof AppError ? unusable(`${where}: ${err.message}`) : err
  }
}

import { ftruncateSync, writeSync } from 'node:fs'
import type { MovedTable, Row } from '../../../kernel/moving/table.ts'
import type { Note } from '../../../kernel/threads/reader-thread.ts'
import type { Key, Person } from '../queries.ts'
import { MOVED_TABLES } from '../tables.ts'
import { type Archive, fail, openArchive } from './archive.ts'
import { readManifest } from './manifest.ts'
import { KeyRow, PersonRow } from './people.ts'
import { type Batch, checkedRows, createNoter, createRenewal, type Ids, type Listed, renewedRows } from './rows.ts'
import { unusable } from './unusable.ts'

const MOST_PEOPLE = 20_000
/** So that a long file or table is no reason to end the thread. */
const PORTION_ROWS = 500
const PORTION_BYTES = 16 * 1024 * 1024

export interface ProjectInput {
  fd: number
  /** Where a file of the archive lies while it is stored. */
  scratch: number
  /** Where the rows lie until all of them are inserted. */
  spool: number
}

/** Bytes of a row, which lie in the scratch file. */
export interface FoundFile {
  place: string
  sha256: string
}

/** Rows that lie in the spool file. */
export interface SpooledBatch extends Omit<Batch, 'text'> {
  table: string
  start: number
  bytes: number
}

export type ProjectPortion =
  | { name: string; rows: number; people: Person[]; keys: Key[] }
  | { file: FoundFile }
  | { checked: number }
  | { batch: SpooledBatch }

/** The ids of people and keys here, or the key under which a file was stored. */
type Answer = [string, string][] | string

interface Source {
  table: MovedTable
  file: Listed
}

/**
 * Reads the export of a project twice: first it checks all rows, and has their bytes stored; then it makes the rows what
 * they are here. What is left for the main thread is to insert them.
 */
export async function* readProject(
  { fd, scratch, spool }: ProjectInput,
  note: Note,
): AsyncGenerator<ProjectPortion, void, Answer> {
  note('the list of files in the archive')
  const archive = await openArchive(fd)
  note('"manifest.json"')
  const manifest = await readManifest(archive)
  const fileOf = (path: string) => {
    const file = manifest.tables.find((one) => one.path === path)
    if (!file) throw unusable(`"manifest.json" does not name "${path}".`)
    note(`"${path}"`)
    return file
  }
  const people = await readAll<Person>(archive, fileOf('people.jsonl'), PersonRow)
  const keys = await readAll<Key>(archive, fileOf('keys.jsonl'), KeyRow)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const settled = yield { name: manifest.project.name, rows, people, keys }
  const sources = MOVED_TABLES.map((table): Source => ({ table, file: fileOf(`data/${table.name}.jsonl`) }))
  const ids = { people: idsIn(people), keys: idsIn(keys), rows: new Set<string>() }
  const bytesOf = new Map<MovedTable, (string | null)[]>()
  for (const source of sources) bytesOf.set(source.table, yield* checkFile(archive, source, ids, scratch, note))
  const renew = createRenewal(ids, new Map(settled as [string, string][]))
  let start = 0
  for (const { table, file } of sources) {
    note(`"${file.path}"`)
    for await (const { text, ...batch } of renewedRows({
      archive,
      file,
      table,
      renew,
      bytes: bytesOf.get(table)!.values(),
    })) {
      const written = Buffer.from(text)
      writeAll(spool, written, start)
      yield { batch: { ...batch, table: table.name, start, bytes: written.length } }
      start += written.length
    }
  }
}

const idsIn = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id))

async function readAll<T>(archive: Archive, file: Listed, shape: object): Promise<T[]> {
  const all: T[] = []
  for await (const { row } of checkedRows(archive, file, shape)) {
    if (all.length >= MOST_PEOPLE) throw unusable(`"${file.path}" has more than ${MOST_PEOPLE} lines.`)
    all.push(row as T)
  }
  return all
}

/** Checks the rows of a file and has their bytes stored. Returns the key of each row. */
async function* checkFile(
  archive: Archive,
  { table, file }: Source,
  ids: Ids,
  scratch: number,
  note: Note,
): AsyncGenerator<ProjectPortion, (string | null)[], Answer> {
  const keys: (string | null)[] = []
  const noteIds = createNoter(table, ids)
  let checked = 0
  note(`"${file.path}"`)
  for await (const { row } of checkedRows(archive, file, table.row)) {
    noteIds(row)
    if (++checked % PORTION_ROWS === 0) yield { checked: PORTION_ROWS }
    if (!table.bytes) continue
    if (row.sha256 === null) keys.push(null)
    else {
      const found = yield* unpackFile(archive, table, row, scratch, note)
      keys.push((yield { file: found }) as string)
      note(`"${file.path}"`)
    }
  }
  yield { checked: checked % PORTION_ROWS }
  return keys
}

async function* unpackFile(
  archive: Archive,
  table: MovedTable,
  row: Row,
  scratch: number,
  note: Note,
): AsyncGenerator<ProjectPortion, FoundFile, Answer> {
  const name = `files/${row.sha256}`
  const { place, size } = table.bytes!
  note(`"${name}"`)
  if (archive.sizeOf(name) !== row[size]) throw unusable(`"${name}" has another size than its row says.`)
  ftruncateSync(scratch, 0)
  let at = 0
  let unreported = 0
  try {
    for await (const chunk of (await archive.read(name)) as AsyncIterable<Buffer>) {
      writeAll(scratch, chunk, at)
      at += chunk.length
      unreported += chunk.length
      if (unreported < PORTION_BYTES) continue
      unreported = 0
      yield { checked: 0 }
    }
  } catch (err) {
    throw fail(err)
  }
  return { place, sha256: row.sha256 as string }
}

/** A full disk may take only a part. */
function writeAll(fd: number, bytes: Buffer, start: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, start + done)
}

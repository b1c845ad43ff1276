import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Tx } from '../../../kernel/database/index.ts'
import { countRows, listBytes, readLines, referredIds } from '../../../kernel/moving/rows.ts'
import { openNamelessFile } from '../../../kernel/storage/index.ts'
import { listKeysOf, listPeople } from '../queries.ts'
import { MOVED_TABLES } from '../tables.ts'
import { createLayout, type DocumentFile, type Place } from './document-files.ts'

/** A file of the archive, as long as its handle is open. */
export interface SpooledFile {
  path: string
  handle: FileHandle
  rows: number
  bytes: number
  sha256: string
}

export interface StoredFile {
  key: string
  sha256: string
  size: number
}

export interface Spool {
  files: SpooledFile[]
  stored: StoredFile[]
  documents: DocumentFile[]
}

export const createSpool = (): Spool => ({ files: [], stored: [], documents: [] })

/**
 * Copies all rows of a project into the spool, as they were at one moment. The transaction waits for nothing but PostgreSQL
 * and this disk: what takes long, packing and sending, comes after it.
 */
export async function spoolProject(
  tx: Tx,
  projectId: string,
  spool: Spool,
  noteRows: (done: number, total: number) => void,
): Promise<void> {
  let total = 0
  for (const table of MOVED_TABLES) total += await countRows(tx, projectId, table)
  const stored = new Map<string, StoredFile>()
  const layout = createLayout()
  let done = 0
  const keys = await listKeysOf(tx, projectId, referredIds(MOVED_TABLES, 'key'))
  const people = await listPeople(tx, projectId, referredIds(MOVED_TABLES, 'person'), keys)
  await writeLines(spool, 'people.jsonl', inOne(people))
  await writeLines(spool, 'keys.jsonl', inOne(keys))
  for (const table of MOVED_TABLES) {
    await writeLines(spool, `data/${table.name}.jsonl`, readLines(tx, projectId, table), (line, at) => {
      layout.note(table.name, line, at)
      if (++done % 100 === 0) noteRows(done, total)
    })
    for (const one of await listBytes(tx, projectId, table)) stored.set(one.sha256, one)
  }
  noteRows(done, total)
  spool.stored = [...stored.values()]
  spool.documents = layout.finish()
}

async function* inOne(rows: object[]): AsyncGenerator<string[]> {
  yield rows.map((row) => JSON.stringify(row))
}

async function writeLines(
  { files }: Spool,
  path: string,
  batches: AsyncIterable<string[]>,
  note?: (line: string, at: Place) => void,
): Promise<void> {
  const handle = await openNamelessFile()
  const file: SpooledFile = { path, handle, rows: 0, bytes: 0, sha256: '' }
  files.push(file)
  const hash = createHash('sha256')
  for await (const lines of batches) {
    for (const line of lines) {
      const bytes = Buffer.byteLength(line)
      note?.(line, { start: file.bytes, bytes })
      file.rows++
      file.bytes += bytes + 1
    }
    if (lines.length === 0) continue
    const text = `${lines.join('\n')}\n`
    hash.update(text)
    await handle.appendFile(text)
  }
  file.sha256 = hash.digest('hex')
}

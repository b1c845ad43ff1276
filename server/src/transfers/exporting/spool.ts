import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Tx } from '../../kernel/database/index.ts'
import { countRows, listBytes, readLines, referredIds } from '../../kernel/moving/rows.ts'
import { listKeysOf, listPeople } from '../queries.ts'
import { MOVED_TABLES } from '../tables.ts'
import { createLayout, type DocumentFile, type Place } from './document-files.ts'

/** A file of the archive that lies in the spool. */
export interface SpooledFile {
  path: string
  place: string
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

/**
 * Copies all rows of a project into files, as they were at one moment. The transaction waits for nothing but PostgreSQL
 * and this disk: what takes long, packing and sending, comes after it.
 */
export async function spoolProject(
  tx: Tx,
  projectId: string,
  folder: string,
  noteRows: (done: number, total: number) => void,
): Promise<Spool> {
  let total = 0
  for (const table of MOVED_TABLES) total += await countRows(tx, projectId, table)
  const files: SpooledFile[] = []
  const stored = new Map<string, StoredFile>()
  const layout = createLayout()
  let done = 0
  const keys = await listKeysOf(tx, projectId, referredIds(MOVED_TABLES, 'key'))
  const people = await listPeople(tx, projectId, referredIds(MOVED_TABLES, 'person'), keys)
  files.push(await writeLines(folder, 'people.jsonl', inOne(people)))
  files.push(await writeLines(folder, 'keys.jsonl', inOne(keys)))
  for (const table of MOVED_TABLES) {
    const file = await writeLines(folder, `data/${table.name}.jsonl`, readLines(tx, projectId, table), (line, at) => {
      layout.note(table.name, line, at)
      if (++done % 100 === 0) noteRows(done, total)
    })
    files.push(file)
    for (const one of await listBytes(tx, projectId, table)) stored.set(one.sha256, one)
  }
  noteRows(done, total)
  return { files, stored: [...stored.values()], documents: layout.finish() }
}

async function* inOne(rows: object[]): AsyncGenerator<string[]> {
  yield rows.map((row) => JSON.stringify(row))
}

async function writeLines(
  folder: string,
  name: string,
  batches: AsyncIterable<string[]>,
  note?: (line: string, at: Place) => void,
): Promise<SpooledFile> {
  const place = path.join(folder, name.replaceAll('/', '-'))
  const handle = await open(place, 'wx', 0o600)
  const stream = handle.createWriteStream()
  const hash = createHash('sha256')
  const file: SpooledFile = { path: name, place, rows: 0, bytes: 0, sha256: '' }
  try {
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
      if (!stream.write(text)) await once(stream, 'drain')
    }
    stream.end()
    await once(stream, 'close')
  } finally {
    stream.destroy()
  }
  return { ...file, sha256: hash.digest('hex') }
}

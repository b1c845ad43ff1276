import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { unusable } from '../importing/unusable.ts'
import { type Columns, readColumns } from './columns.ts'

export const MOST_ROWS = 50_000
const MOST_COLUMNS = 2_000
/** Jira puts every comment into a column. */
const RECORD_CHARACTERS = 8 * 1024 * 1024
const HEAD_BYTES = 64 * 1024
const DELIMITERS = [',', ';', '\t'] as const

export interface CsvRow {
  /** Where the row begins in the file; the first line is 1. */
  line: number
  cells: string[]
}

export interface Csv {
  columns: Columns
  rows: AsyncIterable<CsvRow>
}

/** Reads comma-separated values, also with semicolons or tabs. Closes the file when it is read, or cannot be. */
export async function readCsv(bytes: Readable): Promise<Csv> {
  try {
    const { columns, rows } = await beginCsv(bytes)
    return { columns, rows: closing(rows, bytes) }
  } catch (err) {
    bytes.destroy()
    throw err
  }
}

async function* closing(rows: AsyncIterable<CsvRow>, bytes: Readable): AsyncGenerator<CsvRow> {
  try {
    yield* rows
  } finally {
    bytes.destroy()
  }
}

async function beginCsv(bytes: Readable): Promise<Csv> {
  const chunks = bytes.iterator({ destroyOnReturn: false })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const checked = (chunk: Buffer) => {
    try {
      decoder.decode(chunk, { stream: true })
    } catch {
      throw notUtf8()
    }
    return chunk
  }
  const beginning: Buffer[] = []
  for (let size = 0; size < HEAD_BYTES; size += beginning.at(-1)!.length) {
    const { done, value } = await chunks.next()
    if (done) break
    beginning.push(Buffer.from(value))
  }
  const head = Buffer.concat(beginning)
  if (head.includes(0)) throw notUtf8()
  async function* all() {
    yield checked(head)
    for (;;) {
      const { done, value } = await chunks.next()
      if (done) return
      yield checked(value)
    }
  }
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(head.toString('utf8')),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_CHARACTERS,
  })
  feed(parser, all()).catch((err) => parser.destroy(err))
  const records = recordsOf(parser)
  const first = await records.next()
  if (first.done) throw unusable('The file is empty.')
  if (first.value.cells.length > MOST_COLUMNS) throw unusable(`The file has more than ${MOST_COLUMNS} columns.`)
  const columns = readColumns(first.value.cells)
  if (columns.places.title.length === 0)
    throw unusable(
      `The first line names no column for the title. Call it "Title" or "Summary". It has: ${columns.names.slice(0, 20).join(', ')}.`,
    )
  return { columns, rows: bounded(records) }
}

const notUtf8 = () => unusable('This is not a text file in UTF-8. Save it as "CSV UTF-8".')

async function feed(parser: ReturnType<typeof parse>, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) if (!parser.write(chunk)) await once(parser, 'drain')
  parser.end()
}

async function* recordsOf(parser: ReturnType<typeof parse>): AsyncGenerator<CsvRow> {
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      yield { line, cells: record }
      line = info.lines + 1
    }
  } catch (err) {
    throw err instanceof CsvError ? unusable(`The file cannot be read. ${err.message}.`) : err
  }
}

async function* bounded(records: AsyncGenerator<CsvRow>): AsyncGenerator<CsvRow> {
  let rows = 0
  for await (const row of records) {
    if (++rows > MOST_ROWS) throw unusable(`The file has more than ${MOST_ROWS} rows. Split it.`)
    yield row
  }
}

/** The one that the first line has most of, outside of quotes. */
function delimiterOf(head: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((one) => [one, 0]))
  let isQuoted = false
  for (const sign of head) {
    if (sign === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (sign === '\n') break
    const count = counts.get(sign)
    if (count !== undefined) counts.set(sign, count + 1)
  }
  return DELIMITERS.reduce((best, one) => (counts.get(one)! > counts.get(best)! ? one : best))
}

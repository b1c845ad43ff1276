import { readOpenFile } from '../../../kernel/storage/nameless-file.ts'
import type { Note } from '../../../kernel/threads/reader-thread.ts'
import type { Columns } from './columns.ts'
import { readCsv } from './csv.ts'
import { createPlanner, type Member, type Planned } from './plan.ts'

/** PostgreSQL is asked about many rows at once. */
const PORTION_ROWS = 500
const PORTION_CHARACTERS = 1_000_000

export interface RowsInput {
  fd: number
  members: Member[]
}

export type RowsPortion = { columns: Columns } | { rows: Planned[] }

/** Reads what the rows of a file become, some at a time, after what its columns mean. */
export async function* readRows({ fd, members }: RowsInput, note: Note): AsyncGenerator<RowsPortion> {
  note('line 1')
  const { columns, rows } = await readCsv(readOpenFile(fd))
  yield { columns }
  const plan = createPlanner(columns, members)
  let portion: Planned[] = []
  let characters = 0
  for await (const row of rows) {
    note(`line ${row.line}`)
    portion.push(plan(row))
    for (const cell of row.cells) characters += cell.length
    if (portion.length < PORTION_ROWS && characters < PORTION_CHARACTERS) continue
    yield { rows: portion }
    portion = []
    characters = 0
  }
  if (portion.length > 0) yield { rows: portion }
}

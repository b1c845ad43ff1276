import { type Db, query, type Tx } from '../database/index.ts'
import { columnsOf, type MovedTable, referring } from './table.ts'

/** The names of tables and columns come from declarations in the code, never from a file. */

/** Rows are read until a batch has about this many bytes. */
const BATCH_BYTES = 1024 * 1024
const MOST_ROWS = 1_000
const FIRST_ROWS = 16
let cursors = 0

/** Reads the rows of a project as lines of JSON, some at a time. */
export async function* readLines(tx: Tx, projectId: string, table: MovedTable): AsyncGenerator<string[]> {
  const cursor = `moved_${++cursors}`
  await query(tx, `declare ${cursor} no scroll cursor for ${selectionOf(table)}`, [projectId], { prepare: false })
  let howMany = FIRST_ROWS
  for (;;) {
    const rows = await query<{ line: string }>(tx, `fetch ${howMany} from ${cursor}`, [], { prepare: false })
    if (rows.length === 0) break
    yield rows.map(({ line }) => line)
    const bytes = rows.reduce((sum, { line }) => sum + line.length, 0)
    howMany = Math.max(1, Math.min(MOST_ROWS, Math.floor((BATCH_BYTES * rows.length) / bytes)))
  }
  await query(tx, `close ${cursor}`, [], { prepare: false })
}

function selectionOf(table: MovedTable): string {
  const columns = columnsOf(table).map((column) => `${table.instead?.[column] ?? `t.${column}`} as ${column}`)
  const where = `t.project_id = $1 and ${table.where ?? 'true'}`
  const selected = `select ${columns.join(', ')} from ${table.name} t`
  const rows = table.parent
    ? `with recursive depths (id, depth) as (
        select id, 0 from ${table.name} where project_id = $1 and ${table.parent} is null
        union all
        select c.id, d.depth + 1 from depths d join ${table.name} c on c.project_id = $1 and c.${table.parent} = d.id)
      ${selected} join depths d on d.id = t.id where ${where} order by d.depth, ${table.order}`
    : `${selected} where ${where} order by ${table.order}`
  return `select to_json(r)::text as line from (${rows}) r`
}

/** Where the bytes of the rows lie that have some. */
export async function listBytes(
  db: Db,
  projectId: string,
  { name, bytes }: MovedTable,
): Promise<{ key: string; sha256: string; size: number }[]> {
  if (!bytes) return []
  const rows = await query<{ key: string; sha256: string; size: string }>(
    db,
    `select distinct on (sha256) ${bytes.key} as key, sha256, ${bytes.size}::text as size from ${name}
    where project_id = $1 and sha256 is not null order by sha256`,
    [projectId],
  )
  return rows.map((row) => ({ ...row, size: Number(row.size) }))
}

export const countRows = (db: Db, projectId: string, { name, where }: MovedTable) =>
  query<{ count: string }>(db, `select count(*) from ${name} t where project_id = $1 and ${where ?? 'true'}`, [
    projectId,
  ]).then(([row]) => Number(row!.count))

/** Selects the ids of all people, or keys, that the tables refer to. */
export const referredIds = (tables: MovedTable[], to: 'person' | 'key'): string =>
  tables
    .flatMap((table) =>
      referring(table, to).map(
        (column) => `select ${column} from ${table.name} t where t.project_id = $1 and ${table.where ?? 'true'}`,
      ),
    )
    .join(' union ')

/** Inserts rows, a list in JSON, in the given order. */
export async function insertRows(tx: Tx, projectId: string, table: MovedTable, rows: string): Promise<void> {
  const columns = [...columnsOf(table), ...(table.bytes ? [table.bytes.key] : [])]
  await query(
    tx,
    `insert into ${table.name} (project_id, ${columns.join(', ')})
    select $1, ${columns.map((column) => `r.${column}`).join(', ')}
    from jsonb_array_elements($2::jsonb) with ordinality as e (value, place),
      lateral jsonb_populate_record(null::${table.name}, e.value) as r
    order by e.place`,
    [projectId, rows],
  )
}

export const deleteRows = (tx: Tx, projectId: string, { name, where }: MovedTable) =>
  query(tx, `delete from ${name} t where t.project_id = $1 and ${where ?? 'true'}`, [projectId])

/** True if a row breaks one of the rules of the table. */
export async function hasFault(tx: Tx, projectId: string, condition: string): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(tx, `select exists (${condition}) as found`, [projectId])
  return row!.found
}

import { type Db, query, type Tx } from '../database/index.ts'
import { type Catalog, inOrder, type Reference, readCatalog } from './catalog.ts'

/** Names of tables and columns come from PostgreSQL's own catalog or from the code, never from a client. */

interface KeptTable {
  table: string
  /** Each row as JSON. */
  rows: string[]
  /** They were not deleted; this column lost its value. */
  emptied?: string[]
}

/** Rows in the order in which they can be inserted. */
export type Kept = KeptTable[]

let known: Promise<Catalog> | undefined
/** Migrations run before everything else, so the catalog does not change while the server runs. */
function catalogOf(db: Db): Promise<Catalog> {
  known ??= readCatalog(db).catch((err) => {
    known = undefined
    throw err
  })
  return known
}

/**
 * Reads and locks the rows of `root` with these ids, and everything that goes with them when they are deleted. What refers to
 * them and refuses a deletion goes too if it has the same id: it is the thing itself. Undefined if all of it has more
 * characters than `most`.
 */
export async function keepRows(
  db: Tx,
  projectId: string,
  root: string,
  ids: string[],
  most: number,
): Promise<Kept | undefined> {
  const { references } = await catalogOf(db)
  const first = await query<{ row: string }>(
    db,
    `select to_jsonb(t)::text as row from ${root} t where t.project_id = $1 and t.id = any($2::uuid[])
    order by t.id for update`,
    [projectId, ids],
  )
  const found = new Map<string, Set<string>>([[root, new Set(first.map(({ row }) => row))]])
  const emptied: KeptTable[] = []
  const waiting = [root]
  let characters = 0
  for (let table = waiting.shift(); table !== undefined; table = waiting.shift()) {
    const parents = `[${[...found.get(table)!].join(',')}]`
    for (const one of references.filter(({ parent }) => parent === table)) {
      if (one.onDelete === 'refuse' && !isSameThing(one)) continue
      const rows = await referringRows(db, one, parents)
      if (rows.length === 0) continue
      characters += rows.reduce((sum, row) => sum + row.length, 0)
      if (characters > most) return undefined
      if (one.onDelete === 'set null') {
        emptied.push({ table: one.child, rows, emptied: one.nullable })
        continue
      }
      const before = found.get(one.child)
      found.set(one.child, new Set([...(before ?? []), ...rows]))
      if (found.get(one.child)!.size > (before?.size ?? 0)) waiting.push(one.child)
    }
  }
  const kept = inOrder([...found.keys()], references).map((table) => ({ table, rows: [...found.get(table)!] }))
  return [...kept, ...emptied.filter(({ table }) => !found.has(table))]
}

const isSameThing = ({ columns }: Reference) => columns.join() === 'project_id,id'

async function referringRows(db: Tx, one: Reference, parents: string): Promise<string[]> {
  const same = one.columns.map((column, index) => `t.${column} = p.${one.parentColumns[index]}`).join(' and ')
  const rows = await query<{ row: string }>(
    db,
    `select to_jsonb(t)::text as row from ${one.child} t
    where exists (select from jsonb_populate_recordset(null::${one.parent}, $1::jsonb) p where ${same})
    for update`,
    [parents],
  )
  return rows.map(({ row }) => row)
}

/** The keys of the bytes that kept rows refer to. */
export const keysOfKept = (kept: Kept, { table, column }: { table: string; column: string }): string[] =>
  kept
    .filter((one) => one.table === table)
    .flatMap(({ rows }) => rows.map((row) => JSON.parse(row)[column] as string | null))
    .filter((key) => key !== null)

/**
 * Puts rows back as if they had never been deleted: what was deleted since takes with it what it would have taken then.
 * PostgreSQL refuses what would be there twice.
 */
export async function restoreRows(db: Tx, kept: Kept): Promise<void> {
  const catalog = await catalogOf(db)
  for (const { table, rows, emptied } of kept) {
    const batch = `[${rows.join(',')}]`
    if (emptied) await refill(db, catalog, table, emptied, batch)
    else await insertAgain(db, catalog, table, batch)
  }
}

async function insertAgain(db: Tx, catalog: Catalog, table: string, batch: string): Promise<void> {
  const columns = catalog.columns.get(table)!
  const key = catalog.keys.get(table)!
  const own = catalog.references.filter(({ child }) => child === table)
  const values = columns.map((column) => {
    const lost = own.filter(({ nullable, onDelete }) => onDelete !== 'cascade' && nullable.includes(column))
    return lost.length === 0 ? `r.${column}` : `case when ${lost.map(isThere).join(' and ')} then r.${column} end`
  })
  const needed = own
    .filter(({ nullable, onDelete }) => onDelete === 'cascade' || nullable.length === 0)
    .map((one) => `(${[...one.nullable.map((column) => `r.${column} is null`), isThere(one)].join(' or ')})`)
  const updates = catalog.updatable
    .get(table)!
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
  await query(
    db,
    `with batch as (select * from jsonb_populate_recordset(null::${table}, $1::jsonb))
    insert into ${table} (${columns.join(', ')}) overriding system value
    select ${values.join(', ')} from batch r where ${needed.length > 0 ? needed.join(' and ') : 'true'}
    on conflict (${key.join(', ')}) do ${updates.length > 0 ? `update set ${updates.join(', ')}` : 'nothing'}`,
    [batch],
  )
}

function isThere({ parent, columns, parentColumns, child }: Reference): string {
  const same = columns.map((column, index) => `p.${parentColumns[index]} = r.${column}`).join(' and ')
  const among = parent === child ? ` or exists (select from batch p where ${same})` : ''
  return `(exists (select from ${parent} p where ${same})${among})`
}

/** Only where nothing else stands there now. */
async function refill(db: Tx, { keys }: Catalog, table: string, columns: string[], batch: string): Promise<void> {
  const same = keys.get(table)!.map((column) => `t.${column} = r.${column}`)
  const empty = columns.map((column) => `t.${column} is null`)
  await query(
    db,
    `update ${table} t set ${columns.map((column) => `${column} = r.${column}`).join(', ')}
    from jsonb_populate_recordset(null::${table}, $1::jsonb) r where ${[...same, ...empty].join(' and ')}`,
    [batch],
  )
}

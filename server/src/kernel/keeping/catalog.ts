import { type Db, query } from '../database/index.ts'

export interface Reference {
  child: string
  columns: string[]
  /** Those of `columns` that may be null. */
  nullable: string[]
  parent: string
  parentColumns: string[]
  onDelete: 'cascade' | 'set null' | 'refuse'
}

export interface Catalog {
  references: Reference[]
  /** By table: the columns that can be inserted, those that can be updated, and those of the primary key. */
  columns: Map<string, string[]>
  updatable: Map<string, string[]>
  keys: Map<string, string[]>
}

/** Reads from PostgreSQL which tables refer to which. New tables are known without a word about them here. */
export async function readCatalog(db: Db): Promise<Catalog> {
  const references = await query<Reference>(
    db,
    `select c.relname as child, p.relname as parent,
      case r.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'refuse' end as "onDelete",
      ${namesOf('r.conrelid', 'r.conkey')} as columns, ${namesOf('r.confrelid', 'r.confkey')} as "parentColumns",
      ${namesOf('r.conrelid', 'r.conkey', 'and not a.attnotnull')} as nullable
    from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_class p on p.oid = r.confrelid
    where r.contype = 'f' and r.connamespace = 'public'::regnamespace order by c.relname, r.conname`,
    [],
  )
  const tables = await query<{ name: string; columns: string[]; updatable: string[]; key: string[] }>(
    db,
    `select c.relname as name, ${written()} as columns, ${written("and a.attidentity = ''")} as updatable,
      coalesce((select ${namesOf('c.oid', 'i.indkey::int2[]')} from pg_index i
        where i.indrelid = c.oid and i.indisprimary), '{}') as key
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    [],
  )
  return {
    references,
    columns: new Map(tables.map(({ name, columns }) => [name, columns])),
    updatable: new Map(tables.map(({ name, updatable }) => [name, updatable])),
    keys: new Map(tables.map(({ name, key }) => [name, key])),
  }
}

const written = (where = '') => `array(select a.attname::text from pg_attribute a
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' ${where} order by a.attnum)`

const namesOf = (table: string, numbers: string, where = '') => `array(
  select a.attname::text from unnest(${numbers}) with ordinality as k (number, place)
  join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number ${where} order by k.place)`

/** A table follows those that it refers to. Among those that could be next, the first by name is. */
export function inOrder(tables: string[], references: Reference[]): string[] {
  const left = [...tables].sort()
  const ordered: string[] = []
  while (left.length > 0) {
    const next = left.findIndex((table) =>
      references.every(({ child, parent }) => child !== table || parent === table || !left.includes(parent)),
    )
    ordered.push(...left.splice(Math.max(0, next), 1))
  }
  return ordered
}

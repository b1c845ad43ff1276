import { type Db, raw } from '../database/index.ts'

export interface LineCount {
  versionNumber: number
  added: number
  removed: number
}

/** Longer texts would keep the database busy for too long. */
const MAX_COUNTED_BYTES = 300_000
const MAX_COUNTED_VERSIONS = 200

/**
 * How many lines each of the newest versions has that the one before has not, and the other way round. A line that only
 * moves does not count. `owner` is the column of `table` that has the id.
 */
export const listLineCounts = (db: Db, of: { table: string; owner: string }, projectId: string, id: string) => db<
  LineCount[]
>`
  with newest as (
    select version_number, rtrim(markdown_content, E'\\n') as content from ${raw(of.table)}
    where project_id = ${projectId} and ${raw(of.owner)} = ${id}
    order by version_number desc limit ${MAX_COUNTED_VERSIONS}
  ), pairs as (
    select version_number, content, lag(content) over (order by version_number) as before from newest
  ), lines as (
    select version_number, string_to_array(content, E'\\n') as now_lines, string_to_array(coalesce(before, ''), E'\\n') as was
    from pairs
    where (before is not null or version_number = 1)
      and octet_length(content) + octet_length(coalesce(before, '')) <= ${MAX_COUNTED_BYTES}
  )
  select version_number as "versionNumber",
    (select count(*)::int from (select unnest(now_lines) except all select unnest(was)) a) as added,
    (select count(*)::int from (select unnest(was) except all select unnest(now_lines)) r) as removed
  from lines`

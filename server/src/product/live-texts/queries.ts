import { type Db, query } from '../../kernel/database/index.ts'
import type { LiveTexts } from '../../kernel/slice.ts'

export interface LiveState {
  /** The version of the text that the state matches. */
  version: string
  /** Increases with every write of the state, on any node. */
  revision: string
  /** Packed. */
  state: Uint8Array
}

type Rows = LiveTexts['rows']

export async function isText(db: Db, { table, where }: Rows, projectId: string, id: string): Promise<boolean> {
  const rows = await query(db, `select 1 from ${table} t where t.project_id = $1 and t.id = $2 and ${where}`, [
    projectId,
    id,
  ])
  return rows.length > 0
}

/** Returns the state if it matches the text. */
export async function findCurrentState(
  db: Db,
  { table, where, version }: Rows,
  projectId: string,
  id: string,
): Promise<LiveState | undefined> {
  const [row] = await query<LiveState>(
    db,
    `select l.version, l.revision, l.state
    from ${table} t join live_texts l on l.project_id = t.project_id and l.id = t.id and l.version = ${version}
    where t.project_id = $1 and t.id = $2 and ${where}`,
    [projectId, id],
  )
  return row
}

/** With the text that the state matches, if it is kept with the state. */
export async function findState(
  db: Db,
  projectId: string,
  id: string,
): Promise<(LiveState & { source: string | null }) | undefined> {
  const [row] = await db<(LiveState & { source: string | null })[]>`
    select version, revision, state, source from live_texts where project_id = ${projectId} and id = ${id}`
  return row
}

export type StoredRevision = Omit<LiveState, 'state'>

/** Does not load the state, which may be large. */
export async function findRevision(db: Db, projectId: string, id: string) {
  const [row] = await db<StoredRevision[]>`
    select version, revision from live_texts where project_id = ${projectId} and id = ${id}`
  return row
}

interface NewState {
  version: string
  state: Uint8Array
  source: string | null
}

export async function saveState(
  db: Db,
  projectId: string,
  id: string,
  { version, state, source }: NewState,
): Promise<LiveState> {
  const [row] = await db<{ revision: string }[]>`
    insert into live_texts (project_id, id, version, revision, state, source)
    values (${projectId}, ${id}, ${version}, 1, ${Buffer.from(state)}, ${source})
    on conflict (project_id, id) do update set version = excluded.version, revision = live_texts.revision + 1,
      state = excluded.state, source = excluded.source
    returning revision`
  return { version, revision: row!.revision, state }
}

export interface StoredVersion {
  id: string
  version: string
  revision: string | null
}

/**
 * Lists the stored versions of open texts. A different version means that a session is behind; a missing row means that
 * the text was deleted.
 */
export const listStored = (db: Db, { table, where, version }: Rows, projectIds: string[], ids: string[]) =>
  query<StoredVersion>(
    db,
    `select t.id, ${version} as version, l.revision
    from unnest($1::uuid[], $2::uuid[]) as o (project_id, id)
    join ${table} t on t.project_id = o.project_id and t.id = o.id and ${where}
    left join live_texts l on l.project_id = t.project_id and l.id = t.id`,
    [projectIds, ids],
  )

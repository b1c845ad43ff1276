import { type Db, json, query, type Tx } from '../../kernel/database/index.ts'
import { DONE_BY_SOMEBODY } from './moved-events.ts'
import { type Counts, KEPT_HOURS, type Kind, type Problem, type Transfer } from './transfer.ts'

const columns = (db: Db) => db`id, kind, state, requested_by as "requestedBy", options, file_key as "fileKey",
  file_name as "fileName", file_size::float8 as "fileSize", file_sha256 as "fileSha256", done::float8 as done,
  total::float8 as total, counts, problems, error, created_at as "createdAt", ended_at as "endedAt"`

interface NewTransfer {
  id: string
  kind: Kind
  requestedBy: string | null
  fileKey: string | null
  fileName: string
  fileSize: number | null
  options?: Record<string, unknown>
}

export async function insertTransfer(db: Db, projectId: string, one: NewTransfer): Promise<Transfer> {
  const [row] = await db<Transfer[]>`
    insert into transfers (project_id, id, kind, requested_by, file_key, file_name, file_size, options)
    values (${projectId}, ${one.id}, ${one.kind}, ${one.requestedBy}, ${one.fileKey}, ${one.fileName}, ${one.fileSize},
      ${json(one.options ?? {})})
    returning ${columns(db)}`
  return row!
}

export async function findTransfer(db: Db, projectId: string, id: string): Promise<Transfer | undefined> {
  const [row] = await db<Transfer[]>`
    select ${columns(db)} from transfers where project_id = ${projectId} and id = ${id}`
  return row
}

/** The latest first. */
export const listTransfers = (db: Db, projectId: string, userId: string | undefined, limit: number) => db<Transfer[]>`
  select ${columns(db)} from transfers
  where project_id = ${projectId} and (${userId ?? null}::uuid is null or requested_by = ${userId ?? null})
  order by created_at desc, id desc limit ${limit}`

export async function isBusy(db: Db, projectId: string): Promise<boolean> {
  const [row] = await db`select 1 from transfers where project_id = ${projectId} and state in ('waiting', 'running')`
  return row !== undefined
}

/** Whoever works on it must have said so within this time. */
const SILENT_SECONDS = 60

/** Takes a transfer on which nobody works. Undefined if there is none, or somebody does. */
export async function takeTransfer(db: Db, projectId: string, id: string, leaseId: string) {
  const [row] = await db<(Transfer & { attempts: number })[]>`
    update transfers set state = 'running', lease_id = ${leaseId}, seen_at = now(), attempts = attempts + 1
    where project_id = ${projectId} and id = ${id}
      and (state = 'waiting' or state = 'running' and seen_at < now() - ${SILENT_SECONDS} * interval '1 second')
    returning ${columns(db)}, attempts`
  return row
}

export const listAbandoned = (db: Db) => db<{ projectId: string; id: string }[]>`
  select project_id as "projectId", id from transfers
  where state in ('waiting', 'running') and coalesce(seen_at, created_at) < now() - ${SILENT_SECONDS} * interval '1 second'`

export interface Held {
  projectId: string
  id: string
  leaseId: string
}

export interface Progress {
  done: number
  total: number | null
  counts: Counts
}

/** Returns false if somebody else has taken it over. */
export async function noteProgress(db: Db, { projectId, id, leaseId }: Held, progress: Progress): Promise<boolean> {
  const changed = await db`
    update transfers set seen_at = now(), done = ${progress.done}, total = ${progress.total},
      counts = ${json(progress.counts)}
    where project_id = ${projectId} and id = ${id} and lease_id = ${leaseId} and state = 'running' returning 1`
  return changed.length === 1
}

interface Ending {
  state: 'done' | 'failed'
  progress: Progress
  problems?: Problem[]
  error?: string
  file?: { key: string; size: number; sha256: string }
}

/** Returns false if somebody else has taken it over. */
export async function endTransfer(db: Db, { projectId, id, leaseId }: Held, ending: Ending): Promise<boolean> {
  const { state, progress, problems = [], error = null, file } = ending
  const changed = await db`
    update transfers set state = ${state}, done = ${progress.done}, total = ${progress.total},
      counts = ${json(progress.counts)}, problems = ${json(problems)}, error = ${error}, ended_at = now(),
      file_key = ${file?.key ?? null}, file_size = coalesce(${file?.size ?? null}, file_size),
      file_sha256 = ${file?.sha256 ?? null}
    where project_id = ${projectId} and id = ${id} and lease_id = ${leaseId} and state = 'running' returning 1`
  return changed.length === 1
}

/** Lets another attempt take it at once. */
export async function releaseTransfer(
  db: Db,
  { projectId, id, leaseId }: Held,
  { attempts }: { attempts: number },
): Promise<void> {
  await db`update transfers set state = 'waiting', lease_id = null, attempts = ${attempts}
    where project_id = ${projectId} and id = ${id} and lease_id = ${leaseId} and state = 'running'`
}

export const forgetOldFiles = (db: Db) => db<{ key: string }[]>`
  with old as (
    select project_id, id, file_key from transfers
    where file_key is not null and state in ('done', 'failed') and ended_at < now() - ${KEPT_HOURS} * interval '1 hour')
  update transfers t set file_key = null from old where t.project_id = old.project_id and t.id = old.id
  returning old.file_key as key`

export const listKnownKeys = (db: Db, keys: string[]) =>
  db<{ key: string }[]>`select file_key as key from transfers where file_key = any(${keys}::text[])`.map((rows) =>
    rows.map(({ key }) => key),
  )

/** Keeps everyone else from adding to the project until the transaction ends. */
export async function lockProject(db: Tx, projectId: string): Promise<void> {
  await db`select 1 from projects where id = ${projectId} for update`
}

export async function isUntouched(db: Db, projectId: string): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(db, `select exists (${DONE_BY_SOMEBODY}) as found`, [projectId])
  return !row!.found
}

export interface Person {
  id: string
  name: string
  email: string
  role: string | null
}

export interface Key {
  id: string
  user_id: string
  kind: 'external' | 'reporting'
  name: string
  created_at: string
}

/** `ids` selects what the rows of the project refer to. */
export const listPeople = (db: Db, projectId: string, ids: string, owned: Key[]) =>
  query<Person>(
    db,
    `select u.id, u.name, u.email, m.role from users u
    left join project_members m on m.project_id = $1 and m.user_id = u.id
    where u.id in (${ids}) or u.id = any($2::uuid[]) order by u.id`,
    [projectId, owned.map((key) => key.user_id)],
    { prepare: false },
  )

/** Programs that people let in act as keys do. */
export const listKeysOf = (db: Db, projectId: string, ids: string) =>
  query<Key>(
    db,
    `select id, user_id, kind, name, created_at from api_keys where project_id = $1 and id in (${ids})
    union all
    select id, user_id, 'external', client_name, created_at from oauth_grants where project_id = $1 and id in (${ids})
    order by id`,
    [projectId],
    { prepare: false },
  )

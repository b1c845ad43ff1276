import { createHash } from 'node:crypto'
import { type Db, json, type Tx } from './database.ts'

/** Names a request that may be sent again: the scope says whose and where, the key is the client's. */
export interface ReplayId {
  projectId: string
  scope: string
  key: string
}

export interface ReplayedAnswer {
  requestSha256: string
  status: number
  headers: Record<string, string>
  body: string
}

/** Held until the transaction ends, also when the process dies; false when another request holds it. */
export async function tryLockReplay(db: Tx, id: ReplayId): Promise<boolean> {
  const [row] = await db<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${lockNumber(id)}::bigint) as locked`
  return row!.locked
}

export const lockReplay = (db: Tx, id: ReplayId) => db`select pg_advisory_xact_lock(${lockNumber(id)}::bigint)`

export const findReplay = (db: Db, id: ReplayId) =>
  db<ReplayedAnswer[]>`
    select request_sha256 as "requestSha256", status, headers, body from replays
    where project_id = ${id.projectId} and scope = ${id.scope} and key = ${id.key}
      and created_at > now() - interval '24 hours'`.map(([answer]) => answer)

export async function storeReplay(db: Tx, id: ReplayId, answer: ReplayedAnswer): Promise<void> {
  await db`
    insert into replays (project_id, scope, key, request_sha256, status, headers, body)
    values (${id.projectId}, ${id.scope}, ${id.key}, ${answer.requestSha256}, ${answer.status},
      ${json(answer.headers)}, ${answer.body})
    on conflict (project_id, scope, key) do update set request_sha256 = excluded.request_sha256,
      status = excluded.status, headers = excluded.headers, body = excluded.body, created_at = now()`
}

export async function forgetOldReplays(db: Db): Promise<void> {
  await db`delete from replays where created_at < now() - interval '24 hours'`
}

/** The same for two JSON values that differ only in the order of their fields. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, sortFields) ?? '')
    .digest('hex')
}

function sortFields(_name: string, value: unknown) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function lockNumber({ projectId, scope, key }: ReplayId): string {
  return createHash('sha256').update(`${projectId}\n${scope}\n${key}`).digest().readBigInt64BE(0).toString()
}

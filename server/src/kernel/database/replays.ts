import { createHash } from 'node:crypto'
import { forEachYielding } from '../yielding-loops.ts'
import { type Db, inSavepoint, json, sendLater, sendTogether, type Tx } from './index.ts'

const HASHED_AT_ONCE = 64 * 1024

/**
 * Identifies a request that may be repeated. The scope names the caller and the operation; the client chooses the key.
 */
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

/** Locks the id until the transaction ends. Returns false if another request holds the lock. */
export const tryLockReplay = (db: Tx, id: ReplayId) =>
  db<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${lockNumber(id)}::bigint) as locked`.map(
    ([row]) => row!.locked,
  )

export const findReplay = (db: Db, id: ReplayId) =>
  db<ReplayedAnswer[]>`
    select request_sha256 as "requestSha256", status, headers, body from replays
    where project_id = ${id.projectId} and scope = ${id.scope} and key = ${id.key}
      and created_at > now() - interval '24 hours'`.map(([answer]) => answer)

/** Stores the answer when the transaction commits, in place of one that is too old. */
export function storeReplay(db: Tx, id: ReplayId, answer: ReplayedAnswer): void {
  const replacing = db`
    on conflict (project_id, scope, key) do update set request_sha256 = excluded.request_sha256,
      status = excluded.status, headers = excluded.headers, body = excluded.body, created_at = now()`
  sendLater(db, [db`${insertReplay(db, id, answer)} ${replacing}`])
}

const insertReplay = (db: Tx, id: ReplayId, answer: ReplayedAnswer) => db`
  insert into replays (project_id, scope, key, request_sha256, status, headers, body)
  values (${id.projectId}, ${id.scope}, ${id.key}, ${answer.requestSha256}, ${answer.status},
    ${json(answer.headers)}, ${answer.body})`

const isStored = (err: unknown) => (err as { constraint?: unknown } | null)?.constraint === 'replays_pkey'

interface Once<C, T> {
  id: ReplayId
  requestSha256: string
  run: (ctx: C & { db: Tx }) => Promise<T>
  /** Creates the error for an id that was used for another request. */
  reused: () => Error
}

/**
 * Runs a request once and stores its answer in the same transaction. A repeated request runs too, waiting for the first
 * one if necessary, but its answer cannot be stored: it is rolled back and gets the stored one. So a new request needs no
 * round trip to find out that it is new.
 */
export async function answerOnce<C extends { db: Db }, T>(ctx: C, once: Once<C, T>): Promise<T> {
  const { id, requestSha256, run, reused } = once
  try {
    return await inSavepoint(ctx, async (ctx) => {
      const answer = await run(ctx)
      sendLater(ctx.db, [
        insertReplay(ctx.db, id, { requestSha256, status: 200, headers: {}, body: JSON.stringify(answer) }),
      ])
      return answer
    })
  } catch (err) {
    if (!isStored(err)) throw err
  }
  const [, before] = await sendTogether([forgetReplayIfOld(ctx.db, id), findReplay(ctx.db, id)])
  if (!before) return answerOnce(ctx, once)
  if (before.requestSha256 !== requestSha256) throw reused()
  return JSON.parse(before.body) as T
}

const forgetReplayIfOld = (db: Db, id: ReplayId) => db`
  delete from replays where project_id = ${id.projectId} and scope = ${id.scope} and key = ${id.key}
    and created_at <= now() - interval '24 hours'`

export async function forgetOldReplays(db: Db): Promise<void> {
  await db`delete from replays where created_at < now() - interval '24 hours'`
}

/** Returns the same digest for JSON values that differ only in the order of their fields. */
export async function digestOf(value: unknown): Promise<string> {
  const hash = createHash('sha256')
  let waiting = ''
  await forEachYielding(jsonPieces(value), (piece) => {
    waiting += piece
    if (waiting.length < HASHED_AT_ONCE) return
    hash.update(waiting)
    waiting = ''
  })
  return hash.update(waiting).digest('hex')
}

/** Yields the value as JSON with sorted fields. */
function* jsonPieces(value: unknown): Generator<string, void, void> {
  if (value === null || typeof value !== 'object') return yield JSON.stringify(value) ?? 'null'
  if (hasJsonForm(value)) return yield* jsonPieces(value.toJSON())
  let separator = Array.isArray(value) ? '[' : '{'
  if (Array.isArray(value)) {
    for (const one of value) {
      yield separator
      yield* jsonPieces(one)
      separator = ','
    }
    return yield separator === '[' ? '[]' : ']'
  }
  for (const name of Object.keys(value).sort()) {
    const one = (value as Record<string, unknown>)[name]
    if (one === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    yield* jsonPieces(one)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

const hasJsonForm = (value: object): value is { toJSON(): unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === 'function'

function lockNumber({ projectId, scope, key }: ReplayId): string {
  return createHash('sha256').update(`${projectId}\n${scope}\n${key}`).digest().readBigInt64BE(0).toString()
}

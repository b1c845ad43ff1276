import type { Db, Tx } from '../../../kernel/database/index.ts'
import { isUuid } from '../../../kernel/uuid.ts'

/** A node that is silent for this long no longer runs the turn. */
export const LEASE_SECONDS = 30
export const HEARTBEAT_MS = 2_000

export interface TurnRef {
  projectId: string
  conversationId: string
  turnId: string
}

/** False if another turn is running. */
export async function beginTurn(db: Db, { projectId, conversationId, turnId }: TurnRef): Promise<boolean> {
  const changed = await db`
    update conversations set turn_id = ${turnId}, turn_started_at = now(), turn_seen_at = now(), turn_stop = false,
      turn_taken_up = 0, updated_at = now()
    where project_id = ${projectId} and id = ${conversationId}
      and (turn_id is null or turn_seen_at < now() - make_interval(secs => ${LEASE_SECONDS})) returning 1`
  return changed.length === 1
}

/**
 * Renews the lease. Undefined if the turn no longer belongs to this node; otherwise, whether someone wants it to stop.
 */
export async function keepTurn(db: Db, turn: TurnRef): Promise<{ stop: boolean } | undefined> {
  const [row] = await db<{ stop: boolean }[]>`
    update conversations set turn_seen_at = now()
    where project_id = ${turn.projectId} and id = ${turn.conversationId} and turn_id = ${turn.turnId}
    returning turn_stop as stop`
  return row
}

export async function endTurn(db: Tx, turn: TurnRef): Promise<boolean> {
  const changed = await db`
    update conversations set turn_id = null, turn_started_at = null, turn_seen_at = null, turn_stop = false,
      updated_at = now()
    where project_id = ${turn.projectId} and id = ${turn.conversationId} and turn_id = ${turn.turnId} returning 1`
  return changed.length === 1
}

/** Counts the running turns of a person. Concurrent callers wait for the end of this transaction, so none is missed. */
export async function lockAndCountTalks(db: Tx, projectId: string, ownerId: string, except?: string) {
  await db`select pg_advisory_xact_lock(hashtextextended(${`talks ${projectId}`}, 0))`
  const [row] = await db<{ ofPerson: number; ofProject: number }[]>`
    select count(*) filter (where owner_id = ${ownerId})::int as "ofPerson", count(*)::int as "ofProject"
    from conversations
    where project_id = ${projectId} and origin = 'user' and turn_id is not null and id is distinct from ${except ?? null}::uuid
      and turn_seen_at > now() - make_interval(secs => ${LEASE_SECONDS})`
  return row!
}

/** Asks the node that runs the turn to stop it. False if none is running. */
export async function askToStop(db: Db, projectId: string, conversationId: string): Promise<boolean> {
  const changed = await db`update conversations set turn_stop = true
    where project_id = ${projectId} and id = ${conversationId} and turn_id is not null returning 1`
  return changed.length === 1
}

/** What the agent of a turn does without a run has this request id. */
export const requestOfTurn = (turnId: string) => `turn-${turnId}`

/** Returns the conversation of the turn that a request id names. Undefined if it names none. */
export async function conversationOfRequest(db: Db, projectId: string, requestId: string) {
  const turnId = requestId.replace(/^turn-/, '')
  if (turnId === requestId || !isUuid(turnId)) return undefined
  const [row] = await db<{ id: string }[]>`select conversation_id as id from conversation_events
    where project_id = ${projectId} and turn_id = ${turnId} limit 1`
  return row?.id
}

/** Turns whose node has been silent for too long. */
export const listAbandonedTurns = (db: Db) => db<TurnRef[]>`
  select project_id as "projectId", id as "conversationId", turn_id as "turnId" from conversations
  where turn_id is not null and turn_seen_at < now() - make_interval(secs => ${LEASE_SECONDS}) limit 100`

export interface AbandonedTurn {
  id: string
  origin: string
  ownerId: string
  isShared: boolean
  isStopped: boolean
  takenUp: number
}

/** Undefined if its node has spoken again, or if another node is taking it up. */
export async function lockAbandonedTurn(db: Tx, { projectId, conversationId, turnId }: TurnRef) {
  const [row] = await db<AbandonedTurn[]>`
    select id, origin, owner_id as "ownerId", is_shared as "isShared", turn_stop as "isStopped", turn_taken_up as "takenUp"
    from conversations
    where project_id = ${projectId} and id = ${conversationId} and turn_id = ${turnId}
      and turn_seen_at < now() - make_interval(secs => ${LEASE_SECONDS}) for update skip locked`
  return row
}

/** Gives the turn another id, so that the node which ran it before cannot write any more. */
export async function renewTurn(db: Tx, turn: TurnRef, turnId: string): Promise<void> {
  await db`update conversations set turn_id = ${turnId}, turn_seen_at = now(), turn_taken_up = turn_taken_up + 1
    where project_id = ${turn.projectId} and id = ${turn.conversationId} and turn_id = ${turn.turnId}`
}

/** Ends the lease of a turn that goes on, so that another node takes it up at once. */
export async function releaseTurn(db: Tx, turn: TurnRef): Promise<void> {
  await db`update conversations set turn_seen_at = to_timestamp(0)
    where project_id = ${turn.projectId} and id = ${turn.conversationId} and turn_id = ${turn.turnId}`
}

/** What a turn has written since a time, by the event log, and what it has proposed. */
export const listWrittenSince = (db: Db, { projectId, conversationId, turnId }: TurnRef, since: string) => db<
  { what: string; id: string }[]
>`
  select kind as what, subject_id as id from events
  where project_id = ${projectId} and request_id = ${requestOfTurn(turnId)} and created_at >= ${since}
    and origin in ('agent', 'automation')
  union all
  select 'proposed ' || tool, id from agent_deeds
  where project_id = ${projectId} and run_id = ${conversationId} and created_at >= ${since}
  limit 50`

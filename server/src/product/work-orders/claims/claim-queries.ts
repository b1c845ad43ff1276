import type { Db } from '../../../kernel/database/index.ts'

/** A lease on a work order. Its token is higher than that of every earlier claim of the same work order. */
export interface Claim {
  workOrderId: string
  fencingToken: number
  holder: string
  userId: string | null
  userName: string | null
  /** The key or connected app that it was claimed with. */
  agentId: string | null
  agentName: string | null
  claimedAt: string
  /** When it was claimed or last renewed. */
  renewedAt: string
  expiresAt: string
}

/** More agents than a project has. */
const MOST_CLAIMS = 1_000

export interface ClaimValues {
  workOrderId: string
  holder: string
  userId: string | null
  agentId: string | null
  agentName: string | null
  leaseSeconds: number
}

const columns = (db: Db) => db`work_order_id as "workOrderId", fencing_token::float8 as "fencingToken", holder,
  user_id as "userId", (select name from users where id = user_id) as "userName", agent_id as "agentId",
  agent_name as "agentName", claimed_at as "claimedAt", renewed_at as "renewedAt", expires_at as "expiresAt"`

/** Returns the claim that holds now. */
export async function findClaim(db: Db, projectId: string, workOrderId: string): Promise<Claim | undefined> {
  const [claim] = await db<Claim[]>`select ${columns(db)} from work_order_claims
    where project_id = ${projectId} and work_order_id = ${workOrderId} and expires_at > now()`
  return claim
}

/** Returns the claims of a project that hold now, those that end first at the top. */
export const listClaims = (db: Db, projectId: string): Promise<Claim[]> =>
  db<Claim[]>`select ${columns(db)} from work_order_claims
    where project_id = ${projectId} and expires_at > now() order by expires_at, work_order_id limit ${MOST_CLAIMS}`

/** Returns the claims that a key or connected app holds now. */
export const listClaimsOf = (db: Db, projectId: string, agentId: string): Promise<Claim[]> =>
  db<Claim[]>`select ${columns(db)} from work_order_claims
    where project_id = ${projectId} and agent_id = ${agentId} and expires_at > now() order by work_order_id`

/** Returns the token of a claim that has expired and was not given back. */
export async function findExpiredClaim(db: Db, projectId: string, workOrderId: string): Promise<number | undefined> {
  const [claim] = await db<{ fencingToken: number }[]>`
    select fencing_token::float8 as "fencingToken" from work_order_claims
    where project_id = ${projectId} and work_order_id = ${workOrderId} and expires_at <= now()`
  return claim?.fencingToken
}

/** The work order must be locked, and not be claimed. */
export async function insertClaim(db: Db, projectId: string, claim: ClaimValues): Promise<Claim> {
  const [inserted] = await db<Claim[]>`
    insert into work_order_claims as c
      (project_id, work_order_id, fencing_token, holder, user_id, agent_id, agent_name, claimed_at, renewed_at,
      expires_at)
    values (${projectId}, ${claim.workOrderId}, 1, ${claim.holder}, ${claim.userId}, ${claim.agentId},
      ${claim.agentName}, now(), now(), ${endOf(db, claim)})
    on conflict (project_id, work_order_id) do update set fencing_token = c.fencing_token + 1,
      holder = excluded.holder, user_id = excluded.user_id, agent_id = excluded.agent_id,
      agent_name = excluded.agent_name, claimed_at = now(), renewed_at = now(),
      expires_at = excluded.expires_at
    returning ${columns(db)}`
  return inserted!
}

export async function extendClaim(
  db: Db,
  projectId: string,
  claim: Pick<ClaimValues, 'workOrderId' | 'leaseSeconds'>,
): Promise<Claim> {
  const [extended] = await db<Claim[]>`update work_order_claims
    set expires_at = ${endOf(db, claim)}, renewed_at = now()
    where project_id = ${projectId} and work_order_id = ${claim.workOrderId} returning ${columns(db)}`
  return extended!
}

const endOf = (db: Db, { leaseSeconds }: { leaseSeconds: number }) =>
  db`now() + ${leaseSeconds}::int * interval '1 second'`

/** The work order must be locked. */
export async function endClaim(db: Db, projectId: string, workOrderId: string): Promise<void> {
  await db`update work_order_claims set holder = null, user_id = null, agent_id = null, agent_name = null, claimed_at = null,
    renewed_at = null, expires_at = null
    where project_id = ${projectId} and work_order_id = ${workOrderId}`
}

export interface NextFilters {
  types: string[] | undefined
  labelIds: string[] | undefined
  phaseIds: string[] | undefined
  /** Also those that are assigned to this person. */
  userId: string | null
}

/**
 * Locks the most urgent work order that is ready, or whose claim has expired, and that nobody else is being given.
 * Leaves out those that are assigned to somebody else.
 */
export async function lockNextWorkOrder(
  db: Db,
  projectId: string,
  { types, labelIds, phaseIds, userId }: NextFilters,
): Promise<string | undefined> {
  const [next] = await db<{ id: string }[]>`
    select w.id from work_orders w
    where w.project_id = ${projectId}
      and (w.status = 'ready' or w.status = 'in_progress' and exists (select from work_order_claims c
        where c.project_id = w.project_id and c.work_order_id = w.id and c.expires_at <= now()))
      and not exists (select from work_order_claims c
        where c.project_id = w.project_id and c.work_order_id = w.id and c.expires_at > now())
      and (w.assignee_id is null or w.assignee_id = ${userId})
      and (${types ?? null}::text[] is null or w.type = any(${types ?? null}::text[]))
      and (${labelIds ?? null}::uuid[] is null or w.label_ids && ${labelIds ?? null}::uuid[])
      and (${phaseIds ?? null}::uuid[] is null or w.phase_id = any(${phaseIds ?? null}::uuid[]))
    order by array_position(array['urgent', 'high', 'medium', 'low', 'no_priority'], w.priority), w.work_order_number
    limit 1 for update skip locked`
  return next?.id
}

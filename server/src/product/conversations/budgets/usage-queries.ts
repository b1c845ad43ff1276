import type { Db, Tx } from '../../../kernel/database/index.ts'

const CONVERSATIONS = '00000000-0000-0000-0000-000000000000'

interface Added {
  projectId: string
  automationId: string | undefined
  payerIds: readonly string[]
  model: string
  inputTokens: number
  outputTokens: number
  cost: number
}

export async function addUsage(db: Db, one: Added): Promise<void> {
  await db`
    insert into model_usage as u (project_id, day, automation_id, model, payer_ids, input_tokens,
      output_tokens, cost)
    values (${one.projectId}, (now() at time zone 'UTC')::date, ${one.automationId ?? CONVERSATIONS}, ${one.model},
      ${[...one.payerIds].sort()}::uuid[], ${one.inputTokens}, ${one.outputTokens}, ${one.cost})
    on conflict (project_id, day, automation_id, model, payer_ids) do update set
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
      cost = u.cost + excluded.cost`
}

export async function addPersonUsage(
  db: Db,
  projectId: string,
  userId: string,
  { inputTokens, outputTokens, cost }: Pick<Added, 'inputTokens' | 'outputTokens' | 'cost'>,
): Promise<void> {
  await db`
    insert into person_usage as u (project_id, day, user_id, tokens, cost)
    values (${projectId}, (now() at time zone 'UTC')::date, ${userId}, ${inputTokens + outputTokens}, ${cost})
    on conflict (project_id, day, user_id) do update set tokens = u.tokens + excluded.tokens, cost = u.cost + excluded.cost`
}

interface Used {
  inputTokens: number
  outputTokens: number
  cost: number | undefined
}

/** Adds what answers used to the conversation that they were given in. */
export async function addConversationUsage(
  db: Db,
  { projectId, conversationId }: { projectId: string; conversationId: string },
  used: Used[],
): Promise<void> {
  const sum = (pick: (one: Used) => number) => used.reduce((total, one) => total + pick(one), 0)
  const cost = used.some((one) => one.cost !== undefined) ? sum((one) => one.cost ?? 0) : null
  await db`update conversations set input_tokens = input_tokens + ${sum((one) => one.inputTokens)},
      output_tokens = output_tokens + ${sum((one) => one.outputTokens)},
      cost = case when ${cost}::float8 is null then cost else coalesce(cost, 0) + ${cost} end
    where project_id = ${projectId} and id = ${conversationId}`
}

interface Reserved extends Omit<Added, 'model' | 'inputTokens' | 'outputTokens'> {
  id: string
  tokens: number
  expiresInMs: number
}

/** Also removes what servers that were stopped have left behind. */
export async function insertReservation(db: Tx, one: Reserved): Promise<void> {
  await db`delete from model_reservations where project_id = ${one.projectId} and expires_at <= now()`
  await db`insert into model_reservations (project_id, id, automation_id, payer_ids, tokens, cost, expires_at)
    values (${one.projectId}, ${one.id}, ${one.automationId ?? CONVERSATIONS}, ${[...one.payerIds]}::uuid[],
      ${one.tokens}, ${one.cost}, now() + ${one.expiresInMs} * interval '1 millisecond')`
}

export async function deleteReservation(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from model_reservations where project_id = ${projectId} and id = ${id}`
}

/** What answers that are being made may use, toward the budget of an automation or of the whole project. */
export async function readReserved(db: Db, projectId: string, automationId: string | null): Promise<PeriodUsage> {
  const [row] = await db<PeriodUsage[]>`
    select coalesce(sum(tokens), 0)::float8 as tokens, coalesce(sum(cost), 0)::float8 as cost from model_reservations
    where project_id = ${projectId} and expires_at > now()
      and (${automationId}::uuid is null or automation_id = ${automationId} or ${automationId} = any(payer_ids))`
  return row!
}

export interface PeriodUsage {
  tokens: number
  cost: number
}

export interface UsageNow {
  day: PeriodUsage
  month: PeriodUsage
}

/** What each automation, and what it made or started, has used this month, by UTC. Those that used nothing are left out. */
export const listMonthUsage = (db: Db, projectId: string) => db<({ automationId: string } & PeriodUsage)[]>`
  select p.id as "automationId", sum(u.input_tokens + u.output_tokens)::float8 as tokens, sum(u.cost)::float8 as cost
  from model_usage u
  cross join lateral (select u.automation_id as id union select unnest(u.payer_ids)) p
  where u.project_id = ${projectId} and u.day >= date_trunc('month', now() at time zone 'UTC')::date group by p.id`

/**
 * What was used today and this month, by UTC: by an automation and by what it made or started, or by the whole project.
 */
export async function readUsage(db: Db, projectId: string, automationId: string | null): Promise<UsageNow> {
  const [row] = await db<{ dayTokens: number; dayCost: number; monthTokens: number; monthCost: number }[]>`
    select coalesce(sum(input_tokens + output_tokens) filter (where day = today), 0)::float8 as "dayTokens",
      coalesce(sum(cost) filter (where day = today), 0)::float8 as "dayCost",
      coalesce(sum(input_tokens + output_tokens), 0)::float8 as "monthTokens", coalesce(sum(cost), 0)::float8 as "monthCost"
    from model_usage, (select (now() at time zone 'UTC')::date as today) t
    where project_id = ${projectId} and day >= date_trunc('month', today::timestamp)::date
      and (${automationId}::uuid is null or automation_id = ${automationId}
        or ${automationId} = any(payer_ids))`
  return {
    day: { tokens: row!.dayTokens, cost: row!.dayCost },
    month: { tokens: row!.monthTokens, cost: row!.monthCost },
  }
}

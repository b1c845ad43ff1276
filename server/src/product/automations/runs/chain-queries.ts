import type { Db, Tx } from '../../../kernel/database/index.ts'
import type { Concurrency } from '../automation.ts'

export interface ChainState {
  isStopped: boolean
  /** Runs of the last hour, without those that were left out, and automations that were made in it. */
  runs: number
  made: number
}

/** Concurrent callers wait for the end of this transaction, so none is missed. */
export async function lockChain(db: Tx, projectId: string, chainId: string): Promise<ChainState> {
  await db`select pg_advisory_xact_lock(hashtextextended(${`chain ${chainId}`}, 0))`
  const [row] = await db<ChainState[]>`
    select exists (select 1 from stopped_chains where project_id = ${projectId} and chain_id = ${chainId}) as "isStopped",
      (select count(*)::int from automation_runs where project_id = ${projectId} and chain_id = ${chainId}
        and created_at > now() - interval '1 hour' and (started_at is not null or status = 'scheduled')) as runs,
      (select count(*)::int from automations where project_id = ${projectId} and chain_id = ${chainId}
        and created_at > now() - interval '1 hour') as made`
  return row!
}

export interface StartRules {
  /** The chain in which an agent made the automation. */
  chainId: string | null
  depth: number
  concurrency: Concurrency | null
  hasActiveRun: boolean
}

/** What decides whether a run of these automations may start. */
export async function findStartRules(db: Db, projectId: string, automationIds: string[]) {
  const rows = await db<(StartRules & { id: string })[]>`
    select a.id, a.chain_id as "chainId", a.chain_depth as depth, a.concurrency, exists (
      select 1 from automation_runs r where r.project_id = a.project_id and r.automation_id = a.id
        and r.status in ('scheduled', 'running')) as "hasActiveRun"
    from automations a where a.project_id = ${projectId} and a.id = any(${automationIds}::uuid[])`
  return new Map(rows.map(({ id, ...rules }) => [id, rules]))
}

export async function markStopped(db: Tx, projectId: string, chainId: string): Promise<void> {
  await db`insert into stopped_chains (project_id, chain_id) values (${projectId}, ${chainId}) on conflict do nothing`
}

/** The automations that the chain made and that are still on, and its runs that have not ended. */
export async function listAlive(db: Tx, projectId: string, chainId: string) {
  const automations = await db<{ id: string }[]>`select id from automations
    where project_id = ${projectId} and chain_id = ${chainId} and enabled order by id for no key update`
  const runs = await db<{ id: string; automationId: string }[]>`
    select id, automation_id as "automationId" from automation_runs
    where project_id = ${projectId} and chain_id = ${chainId} and status in ('scheduled', 'running') order by id`
  return { automations, runs }
}

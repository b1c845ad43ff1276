import { type Db, json } from '../../../kernel/database/index.ts'

export interface Calls {
  projectId: string
  keyId: string
  calls: number
  /** The tool or operation of the last one. */
  lastCall: string
}

/** Adds to the counts of today. Leaves out projects that are gone. */
export async function addCalls(db: Db, counted: Calls[]): Promise<void> {
  // Every node takes the rows in the same order, so that two never wait for each other.
  await db`
    insert into agent_calls as c (project_id, key_id, day, calls, last_call, last_at)
    select n."projectId", n."keyId", (now() at time zone 'UTC')::date, n.calls, n."lastCall", now()
    from jsonb_to_recordset(${json(counted)}) as n ("projectId" uuid, "keyId" uuid, calls bigint, "lastCall" text)
    join projects p on p.id = n."projectId"
    order by n."projectId", n."keyId"
    on conflict (project_id, key_id, day) do update set
      calls = c.calls + excluded.calls, last_call = excluded.last_call, last_at = excluded.last_at`
}

export async function forgetOldCalls(db: Db): Promise<void> {
  await db`delete from agent_calls where day < now() - interval '90 days'`
}

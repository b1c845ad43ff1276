import type { Db } from '../../../kernel/database/index.ts'

export interface DayUse {
  day: string
  tokens: number
  cost: number
}

export interface AutomationUse {
  /** All zeros for conversations of people. */
  id: string
  name: string | null
  days: DayUse[]
  runs: number
  accepted: number
  decided: number
  costPerMonth: number | null
}

export interface PersonUse {
  id: string
  name: string
  days: DayUse[]
}

/** The first day of the month and of the one after it, as dates. */
const within = (db: Db, month: string) =>
  db`(select ${`${month}-01`}::date as first, (${`${month}-01`}::date + interval '1 month')::date as next) m`

/**
 * What each automation used in a month, and what came of it. A change counts as accepted if a person accepted its proposal,
 * or left it as it is; a rejected or undone one does not. Open proposals do not count.
 */
export const listAutomationUses = (db: Db, projectId: string, month: string) => db<AutomationUse[]>`
  with month as (select * from ${within(db, month)}),
  used as (
    select u.automation_id, u.day, sum(u.input_tokens + u.output_tokens)::float8 as tokens, sum(u.cost)::float8 as cost
    from model_usage u, month m where u.project_id = ${projectId} and u.day >= m.first and u.day < m.next
    group by u.automation_id, u.day
  ),
  ran as (
    select r.automation_id, count(*)::int as runs from automation_runs r, month m
    where r.project_id = ${projectId} and r.created_at >= m.first::timestamp at time zone 'UTC'
      and r.created_at < m.next::timestamp at time zone 'UTC'
    group by r.automation_id
  ),
  changed as (
    select r.automation_id, count(*) filter (where d.status in ('accepted', 'done'))::int as accepted,
      count(*) filter (where d.status <> 'proposed')::int as decided
    from agent_deeds d join automation_runs r on r.project_id = d.project_id and r.id = d.run_id, month m
    where d.project_id = ${projectId} and d.created_at >= m.first::timestamp at time zone 'UTC'
      and d.created_at < m.next::timestamp at time zone 'UTC'
    group by r.automation_id
  )
  select u.automation_id as id, a.name,
    jsonb_agg(jsonb_build_object('day', u.day, 'tokens', u.tokens, 'cost', u.cost) order by u.day) as days,
    coalesce(max(r.runs), 0) as runs, coalesce(max(c.accepted), 0) as accepted, coalesce(max(c.decided), 0) as decided,
    max((b.limits->>'costPerMonth')::float8) as "costPerMonth"
  from used u
  left join automations a on a.project_id = ${projectId} and a.id = u.automation_id
  left join automation_budgets b on b.project_id = ${projectId} and b.automation_id = a.id
  left join ran r on r.automation_id = u.automation_id
  left join changed c on c.automation_id = u.automation_id
  group by u.automation_id, a.name order by sum(u.cost) desc, sum(u.tokens) desc, u.automation_id`

/** What the automations and conversations of each person used in a month. */
export const listPersonUses = (db: Db, projectId: string, month: string) => db<PersonUse[]>`
  select u.user_id as id, p.name,
    jsonb_agg(jsonb_build_object('day', u.day, 'tokens', u.tokens, 'cost', u.cost) order by u.day) as days
  from person_usage u join users p on p.id = u.user_id, ${within(db, month)}
  where u.project_id = ${projectId} and u.day >= m.first and u.day < m.next
  group by u.user_id, p.name order by sum(u.cost) desc, sum(u.tokens) desc, u.user_id`

/** By the database's clock. */
export async function monthNow(db: Db): Promise<string> {
  const [row] = await db<{ month: string }[]>`select to_char(now() at time zone 'UTC', 'YYYY-MM') as month`
  return row!.month
}

import type { Db } from '../../../kernel/database/index.ts'

export interface AgentRow {
  id: string
  type: 'app' | 'key'
  name: string
  start: string | null
  redirectUri: string | null
  scope: 'read' | 'full'
  userId: string
  userName: string
  createdAt: string
  lastUsedAt: string | null
  endedAt: string | null
  lastCall: string | null
  lastCallAt: string | null
  calls: { day: string; calls: number }[]
  claims: { workOrderId: string; number: number; title: string; expiresAt: string }[]
}

const MOST_AGENTS = 500
export const CALL_DAYS = 14

/**
 * The keys and connected apps of a project, or of one of its members. What has ended is listed for 30 days, unless the same
 * program was connected again.
 */
export const listAgents = (db: Db, projectId: string, userId: string | undefined) => db<AgentRow[]>`
  with agents as (
    select k.id, 'key' as type, k.name, k.start, null as redirect_uri, k.user_id, k.created_at, k.last_used_at,
      case when 'viewer' in (k.role, m.role) then 'read' else 'full' end as scope,
      coalesce(k.revoked_at, case when k.expires_at <= now() then k.expires_at end) as ended_at
    from api_keys k left join project_members m on m.project_id = k.project_id and m.user_id = k.user_id
    where k.project_id = ${projectId} and k.kind = 'external'
    union all
    select g.id, 'app', g.client_name, null, g.redirect_uri, g.user_id, g.created_at, g.last_used_at,
      case when g.scope = 'read' or g.resource = '/mcp/read' or m.role = 'viewer' then 'read' else 'full' end, g.ended_at
    from oauth_grants g left join project_members m on m.project_id = g.project_id and m.user_id = g.user_id
    where g.project_id = ${projectId} and g.redeemed_at is not null and (g.ended_at is null or not exists (
      select from oauth_grants n where n.project_id = g.project_id and n.user_id = g.user_id
        and n.client_id = g.client_id and n.ended_at is null and n.redeemed_at is not null))
  )
  select a.id, a.type, a.name, a.start, a.redirect_uri as "redirectUri", a.scope, a.user_id as "userId",
    u.name as "userName", a.created_at as "createdAt", greatest(a.last_used_at, l.last_at) as "lastUsedAt",
    a.ended_at as "endedAt", l.last_call as "lastCall", l.last_at as "lastCallAt", d.calls,
    coalesce(w.claims, '[]') as claims
  from agents a join users u on u.id = a.user_id
  left join lateral (
    select c.last_call, c.last_at from agent_calls c where c.project_id = ${projectId} and c.key_id = a.id
    order by c.day desc limit 1
  ) l on true
  cross join lateral (
    select jsonb_agg(jsonb_build_object('day', t.day, 'calls', coalesce(c.calls, 0)) order by t.day) as calls
    from (select (now() at time zone 'UTC')::date - n as day from generate_series(0, ${CALL_DAYS - 1}::int) n) t
    left join agent_calls c on c.project_id = ${projectId} and c.key_id = a.id and c.day = t.day
  ) d
  left join lateral (
    select jsonb_agg(jsonb_build_object('workOrderId', o.id, 'number', o.work_order_number, 'title', o.title,
      'expiresAt', to_char(c.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by c.expires_at) as claims
    from work_order_claims c join work_orders o on o.project_id = c.project_id and o.id = c.work_order_id
    where c.project_id = ${projectId} and c.agent_id = a.id and c.expires_at > now()
  ) w on true
  where a.user_id = coalesce(${userId ?? null}::uuid, a.user_id)
    and (a.ended_at is null or a.ended_at > now() - interval '30 days')
  order by a.ended_at is not null, greatest(a.last_used_at, l.last_at) desc nulls last, a.created_at desc, a.id
  limit ${MOST_AGENTS}`

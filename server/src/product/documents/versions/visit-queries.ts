import type { Db } from '../../../kernel/database/index.ts'
import type { ResourceType } from '../../links/index.ts'

/** What has happened to a document since a person last looked at it. */
export interface Visit {
  /** The version that they saw, and when. Null if they never looked. */
  versionNumber: number | null
  seenAt: string | null
  /** Later versions that others wrote. */
  newVersions: number
  /** Those who wrote them, up to three. */
  authors: string[]
}

export async function findVisit(
  db: Db,
  projectId: string,
  id: string,
  userId: string | null,
): Promise<Visit | undefined> {
  const [visit] = await db<Visit[]>`
    select v.version_number as "versionNumber", v.seen_at as "seenAt", count(distinct n.id)::int as "newVersions",
      coalesce((array_agg(distinct coalesce(u.name, n.origin_name)) filter (where n.id is not null))[1:3], '{}') as authors
    from document_visits v
    left join lateral (
      select n.id, n.user_id, n.origin_name from document_versions n
      where n.project_id = v.project_id and n.document_id = v.document_id and n.version_number > v.version_number
      union all
      select n.id, a.user_id, n.origin_name from document_versions n
      join document_version_authors a on a.project_id = n.project_id and a.version_id = n.id
      where n.project_id = v.project_id and n.document_id = v.document_id and n.version_number > v.version_number
        -- What others type into your version is news. A suggestion that you accepted is not.
        and (n.user_id is distinct from v.user_id or n.open_until is not null)
    ) n on n.user_id is distinct from v.user_id
    left join users u on u.id = n.user_id
    where v.project_id = ${projectId} and v.document_id = ${id} and v.user_id = ${userId}
    group by v.version_number, v.seen_at`
  return visit
}

export async function writeVisit(
  db: Db,
  projectId: string,
  kind: ResourceType,
  id: string,
  userId: string,
): Promise<boolean> {
  const written = await db`
    insert into document_visits (project_id, document_id, user_id, version_number, seen_at)
    select d.project_id, d.id, ${userId},
      d.version_number - case when v.open_until > now() then 1 else 0 end, now()
    from documents d
    join document_versions v on v.project_id = d.project_id and v.document_id = d.id and v.id = d.version_id
    where d.project_id = ${projectId} and d.id = ${id} and d.kind = ${kind}
    on conflict (project_id, document_id, user_id) do update
      set version_number = greatest(document_visits.version_number, excluded.version_number), seen_at = excluded.seen_at
    returning 1`
  return written.length > 0
}

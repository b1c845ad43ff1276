import type { Db, Tx } from '../../../kernel/database/index.ts'

export async function markDeleted(db: Tx, projectId: string): Promise<void> {
  await db`update projects set deleted_at = now() where id = ${projectId}`
}

/** Deletes everything that lets people and programs in. Returns how many members and working keys there were. */
export async function closeProject(db: Tx, projectId: string): Promise<{ members: number; keys: number }> {
  await db`delete from invitations where project_id = ${projectId}`
  const keys = await db<{ works: boolean }[]>`
    delete from api_keys where project_id = ${projectId}
    returning revoked_at is null and (expires_at is null or expires_at > now()) as works`
  const members = await db`delete from project_members where project_id = ${projectId} returning 1`
  return { members: members.length, keys: keys.filter(({ works }) => works).length }
}

/**
 * Whether someone is a member of another project of the organization. Locks their memberships, so that two deletions at
 * once cannot take each other for the project that is left.
 */
export async function isMemberElsewhere(
  db: Tx,
  userId: string,
  { projectId, organizationId }: { projectId: string; organizationId: string },
): Promise<boolean> {
  const found = await db<{ id: string }[]>`
    select m.project_id as id from project_members m join projects p on p.id = m.project_id
    where m.user_id = ${userId} and p.organization_id = ${organizationId}
    order by m.project_id for update of m`
  return found.some(({ id }) => id !== projectId)
}

export interface Contents {
  /** How many things there are, by the name of their counter. */
  counts: { name: string; live: number }[]
  members: number
  /** Those who are in no other project. */
  left_without_project: number
  keys: number
}

export async function readContents(db: Db, projectId: string): Promise<Contents> {
  const [counts, [people], [keys]] = await Promise.all([
    db<Contents['counts']>`select name, live from counters where project_id = ${projectId} and live > 0 order by name`,
    db<{ all: number; left: number }[]>`
      select count(*)::int as all, (count(*) filter (where not exists (
        select from project_members o where o.user_id = m.user_id and o.project_id <> ${projectId})))::int as left
      from project_members m where m.project_id = ${projectId}`,
    db<{ all: number }[]>`select count(*)::int as all from api_keys
      where project_id = ${projectId} and revoked_at is null and (expires_at is null or expires_at > now())`,
  ])
  return { counts: [...counts], members: people!.all, left_without_project: people!.left, keys: keys!.all }
}

/** Takes a deleted project that no other node works on. */
export async function leaseDeleted(db: Db, leaseMs: number): Promise<{ id: string } | undefined> {
  const [row] = await db<{ id: string }[]>`
    update projects set removed_until = now() + ${leaseMs}::int * interval '1 millisecond'
    where id = (
      select id from projects where deleted_at is not null and (removed_until is null or removed_until < now())
      order by deleted_at limit 1 for update skip locked)
    returning id`
  return row
}

export async function renewLease(db: Db, projectId: string, leaseMs: number): Promise<void> {
  await db`update projects set removed_until = now() + ${leaseMs}::int * interval '1 millisecond' where id = ${projectId}`
}

/** Takes with it what was written after everything else was removed. */
export async function deleteProjectRow(db: Db, projectId: string): Promise<void> {
  await db`delete from projects where id = ${projectId} and deleted_at is not null`
}

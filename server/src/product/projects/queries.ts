import type { Actor, ProjectRole } from '../../kernel/context.ts'
import { type Db, likeSubstring, listOf } from '../../kernel/database/index.ts'
import type { WordSource } from '../../kernel/searches/word-search.ts'
import type { Project } from './project.ts'

export async function insertProject(db: Db, { id, name, organizationId }: Project): Promise<boolean> {
  const changed = await db`insert into projects (id, organization_id, name) values (${id}, ${organizationId}, ${name})
    on conflict do nothing returning 1`
  return changed.length === 1
}

export const listProjects = (db: Db) => db<(Project & { organization: string })[]>`
  select p.id, p.name, p.organization_id as "organizationId", o.name as organization
  from projects p join organizations o on o.id = p.organization_id
  where p.deleted_at is null order by p.created_at, p.id`

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const [project] = await db<Project[]>`
    select id, name, organization_id as "organizationId" from projects where id = ${id} and deleted_at is null`
  return project
}

export async function lockProject(db: Db, id: string): Promise<Project | undefined> {
  const [project] = await db<Project[]>`
    select id, name, organization_id as "organizationId" from projects
    where id = ${id} and deleted_at is null for no key update`
  return project
}

export async function isNameTaken(db: Db, { id, name, organizationId }: Project): Promise<boolean> {
  const found = await db`select 1 from projects
    where organization_id = ${organizationId} and lower(name) = lower(${name}) and id <> ${id} and deleted_at is null`
  return found.length > 0
}

export async function updateName(db: Db, { id, name }: Project): Promise<void> {
  await db`update projects set name = ${name} where id = ${id}`
}

export const findProjectsByName = (db: Db, name: string) => db<Project[]>`
  select id, name, organization_id as "organizationId" from projects
  where lower(name) = lower(${name}) and deleted_at is null order by created_at`

export const listProjectsOf = (db: Db, userId: string) => db<{ id: string; name: string; role: ProjectRole }[]>`
  select p.id, p.name, m.role from project_members m join projects p on p.id = m.project_id
  where m.user_id = ${userId} order by lower(p.name), p.id`

export async function isMember(db: Db, projectId: string, userId: string): Promise<boolean> {
  const [row] = await db`select 1 from project_members where project_id = ${projectId} and user_id = ${userId}`
  return row !== undefined
}

export async function lockRole(db: Db, projectId: string, userId: string): Promise<ProjectRole | undefined> {
  const [row] = await db<{ role: ProjectRole }[]>`
    select role from project_members where project_id = ${projectId} and user_id = ${userId} for update`
  return row?.role
}

/** Locks the rows of all admins, in one order for everybody. */
export const lockAdmins = (db: Db, projectId: string) => db<{ user_id: string }[]>`
  select user_id from project_members where project_id = ${projectId} and role = 'admin' order by user_id for update`

export async function upsertMember(db: Db, projectId: string, userId: string, role: ProjectRole): Promise<void> {
  await db`insert into project_members (project_id, user_id, role) values (${projectId}, ${userId}, ${role})
    on conflict (project_id, user_id) do update set role = excluded.role`
}

export const deleteMember = (db: Db, projectId: string, userId: string) => db<{ role: ProjectRole }[]>`
  delete from project_members where project_id = ${projectId} and user_id = ${userId} returning role`

export const listMemberRoles = (db: Db, projectId: string) => db<(MemberRow & { role: ProjectRole })[]>`
  select u.id, u.name, u.email, m.role from project_members m join users u on u.id = m.user_id
  where m.project_id = ${projectId} order by lower(u.name), u.id`

/** The roles of members in several projects. Those who are not members are missing. */
export const listRolesOf = (db: Db, members: { projectId: string; userId: string }[]) =>
  db<{ projectId: string; userId: string; role: ProjectRole }[]>`
    select m.project_id as "projectId", m.user_id as "userId", m.role
    from unnest(${members.map((one) => one.projectId)}::uuid[], ${members.map((one) => one.userId)}::uuid[])
      as asked (project_id, user_id)
    join project_members m on m.project_id = asked.project_id and m.user_id = asked.user_id`

export interface MemberDetails extends MemberRow {
  role: ProjectRole
  last_active_at: string | null
  sessions: number
  keys: number
  expired_keys: number
}

/** Members with what depends on them. */
export const listMemberDetails = (db: Db, projectId: string) => db<MemberDetails[]>`
  select u.id, u.name, u.email, m.role, s.last_active_at, s.sessions, k.keys, k.expired_keys
  from project_members m join users u on u.id = m.user_id
  cross join lateral (
    select max(last_used_at) as last_active_at, count(*)::int as sessions
    from sessions where user_id = u.id and expires_at > now()
  ) s
  cross join lateral (
    select count(*) filter (where expires_at is null or expires_at > now())::int as keys,
      count(*) filter (where expires_at <= now())::int as expired_keys
    from api_keys where project_id = m.project_id and user_id = u.id and revoked_at is null
  ) k
  where m.project_id = ${projectId} order by lower(u.name), u.id`

type Rights = Pick<Actor, 'organizationId' | 'userName' | 'userEmail' | 'projectRole' | 'organizationRole'>

/** Returns a member and their rights. Undefined if they are not a member. */
export async function findMemberRights(db: Db, projectId: string, userId: string): Promise<Rights | undefined> {
  const [row] = await db<Rights[]>`
    select p.organization_id as "organizationId", u.name as "userName", u.email as "userEmail",
      m.role as "projectRole", coalesce(om.role, 'member') as "organizationRole"
    from project_members m
    join projects p on p.id = m.project_id
    join users u on u.id = m.user_id
    left join organization_members om on om.organization_id = p.organization_id and om.user_id = m.user_id
    where m.project_id = ${projectId} and m.user_id = ${userId}`
  return row
}

export interface MemberRow {
  id: string
  name: string
  email: string
}

export async function listMembers(
  db: Db,
  projectId: string,
  search: string | undefined,
  limit: number,
  offset: number,
) {
  const pattern = search ? likeSubstring(search) : '%'
  const matching = db`
    from project_members m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and (u.name ilike ${pattern} or u.email ilike ${pattern})`
  const [[counted], rows] = await Promise.all([
    db<{ total: number }[]>`select count(*)::int as total ${matching}`,
    db<
      MemberRow[]
    >`select u.id, u.name, u.email ${matching} order by lower(u.name), u.id limit ${limit} offset ${offset}`,
  ])
  return { total: counted!.total, rows: [...rows] }
}

export const findMembersByIdOrEmail = (db: Db, projectId: string, ids: string[], emails: string[]) => db<MemberRow[]>`
  select u.id, u.name, u.email from project_members m join users u on u.id = m.user_id
  where m.project_id = ${projectId} and (u.id = any(${listOf(ids, 'uuid')}) or lower(u.email) = any(${listOf(emails, 'text')}))
  for key share of m`

/** How the search over everything looks for members. */
export const MEMBER_WORDS: WordSource = {
  from: 'project_members m join users u on u.id = m.user_id',
  projectId: 'm.project_id',
  id: 'u.id',
  title: 'u.name',
  detail: 'u.email',
  newest: 'lower(u.name), u.id',
}

export async function listAdminIds(db: Db, projectId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select user_id as id from project_members
    where project_id = ${projectId} and role = 'admin' order by created_at, user_id`
  return rows.map((row) => row.id)
}

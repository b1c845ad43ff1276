import type { ProjectRole } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/database/index.ts'
import type { Invitation } from './invitation.ts'

const columns = (db: Db) => db`i.id, i.project_id, i.role, i.email, i.max_uses, i.uses, i.invited_by, i.created_at,
  i.expires_at, i.revoked_at, i.expires_at <= now() as is_expired`

interface NewInvitation {
  id: string
  sha256: string
  role: ProjectRole
  email: string | null
  maxUses: number
  days: number
  invitedBy: string
}

export async function insertInvitation(db: Db, projectId: string, one: NewInvitation): Promise<Invitation> {
  const [row] = await db<Invitation[]>`
    insert into invitations as i (project_id, id, sha256, role, email, max_uses, invited_by, expires_at)
    values (${projectId}, ${one.id}, ${one.sha256}, ${one.role}, ${one.email}, ${one.maxUses}, ${one.invitedBy},
      now() + make_interval(days => ${one.days}))
    returning ${columns(db)}`
  return row!
}

export interface OpenInvitation extends Invitation {
  inviter: string
}

/** Those that someone can still use. */
export const listOpenInvitations = (db: Db, projectId: string) => db<OpenInvitation[]>`
  select ${columns(db)}, u.name as inviter from invitations i join users u on u.id = i.invited_by
  where i.project_id = ${projectId} and i.revoked_at is null and i.uses < i.max_uses and i.expires_at > now()
  order by i.created_at desc, i.id`

export interface ShownInvitation extends OpenInvitation {
  project: string
  organization: string
  organization_id: string
}

/** Searches all projects: who has the link knows no project yet. */
export async function findInvitation(db: Db, sha256: string): Promise<ShownInvitation | undefined> {
  const [row] = await db<ShownInvitation[]>`
    select ${columns(db)}, u.name as inviter, p.name as project, p.organization_id, o.name as organization
    from invitations i join users u on u.id = i.invited_by join projects p on p.id = i.project_id
    join organizations o on o.id = p.organization_id
    where i.sha256 = ${sha256}`
  return row
}

/** Searches all projects. For ids that only Slipway itself knows. */
export async function findInvitationById(db: Db, id: string): Promise<Invitation | undefined> {
  const [row] = await db<Invitation[]>`select ${columns(db)} from invitations i where i.id = ${id}`
  return row
}

/** Searches all projects: those that name this address and can still be used. */
export const listInvitationsFor = (db: Db, email: string) => db<Invitation[]>`
  select ${columns(db)} from invitations i
  where lower(i.email) = ${email} and i.revoked_at is null and i.uses < i.max_uses and i.expires_at > now()
  order by i.created_at, i.id`

export async function lockInvitation(db: Db, projectId: string, id: string): Promise<Invitation | undefined> {
  const [row] = await db<Invitation[]>`
    select ${columns(db)} from invitations i where i.project_id = ${projectId} and i.id = ${id} for update`
  return row
}

export async function countUse(db: Db, projectId: string, id: string): Promise<void> {
  await db`update invitations set uses = uses + 1 where project_id = ${projectId} and id = ${id}`
}

export async function revokeInvitation(db: Db, projectId: string, id: string): Promise<Invitation> {
  const [row] = await db<Invitation[]>`
    update invitations i set revoked_at = now() where i.project_id = ${projectId} and i.id = ${id}
    returning ${columns(db)}`
  return row!
}

export const revokeInvitationsOf = (db: Db, projectId: string, userId: string) => db<Invitation[]>`
  update invitations i set revoked_at = now()
  where i.project_id = ${projectId} and i.invited_by = ${userId} and i.revoked_at is null and i.uses < i.max_uses
  returning ${columns(db)}`

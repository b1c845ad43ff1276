import type { Actor, OrganizationRole, Origin, ProjectRole } from '../kernel/context.ts'
import type { Db } from '../kernel/database/index.ts'

/** Someone who acts in a project without a key; undefined when they are no member of it. */
export async function findMemberActor(
  db: Db,
  projectId: string,
  userId: string,
  origin: Origin,
): Promise<Actor | undefined> {
  const [row] = await db<MemberActorRow[]>`
    select p.organization_id, u.name, u.email, m.role as project_role, coalesce(om.role, 'member') as organization_role
    from project_members m
    join projects p on p.id = m.project_id
    join users u on u.id = m.user_id
    left join organization_members om on om.organization_id = p.organization_id and om.user_id = m.user_id
    where m.project_id = ${projectId} and m.user_id = ${userId}`
  return (
    row && {
      origin,
      organizationId: row.organization_id,
      projectId,
      userId,
      userName: row.name,
      userEmail: row.email,
      projectRole: row.project_role,
      organizationRole: row.organization_role,
      keyId: null,
    }
  )
}

interface MemberActorRow {
  organization_id: string
  name: string
  email: string
  project_role: ProjectRole
  organization_role: OrganizationRole
}

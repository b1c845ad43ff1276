import { checkedName, joinOrganization, type User } from '../accounts/index.ts'
import type { ProjectRole } from '../kernel/context.ts'
import { inTransaction, type Sql, type Tx } from '../kernel/database/index.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { isUuid } from '../kernel/http/validation.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { revokeKeysOf } from './keys.ts'
import { type Acting, operatorCtx } from './operator.ts'
import type { Project } from './project.ts'
import * as queries from './queries.ts'

type Db = Sql | Tx

export function addProject(
  acting: Acting<Db>,
  { name, organizationId }: { name: string; organizationId: string },
): Promise<Project> {
  return inTransaction(acting, async (acting) => {
    const project = { id: uuidv7(), name: checkedName(name), organizationId }
    if (!(await queries.insertProject(acting.db, project)))
      throw conflict('already_exists', `There is a project "${project.name}" already.`)
    const ctx = operatorCtx(acting, project)
    for (const prepare of acting.wiring.onProjectCreated) await prepare(ctx)
    return project
  })
}

export const listProjects = (db: Db) => queries.listProjects(db)

export async function loadProject(db: Db, nameOrId: string): Promise<Project> {
  const found = isUuid(nameOrId)
    ? await queries.findProjectsById(db, nameOrId)
    : await queries.findProjectsByName(db, nameOrId)
  if (found.length > 1)
    throw conflict(
      'ambiguous',
      `${found.length} organizations have a project "${nameOrId}". Use its id: ${found.map((one) => one.id).join(', ')}.`,
    )
  if (!found[0]) throw new AppError(404, 'not_found', `There is no project "${nameOrId}". See "project list".`)
  return found[0]
}

/** Adds someone to a project, or gives a member another role. Whoever joins a project belongs to its organization. */
export function addMember(db: Db, project: Project, userId: string, role: ProjectRole): Promise<void> {
  return inTransaction({ db }, async ({ db }) => {
    await joinOrganization(db, project.organizationId, userId)
    await queries.upsertMember(db, project.id, userId, role)
  })
}

/** Takes someone out of a project. Their keys there are revoked, so that none works again if they come back. */
export function removeMember(db: Db, project: Project, user: User): Promise<{ revokedKeys: number }> {
  return inTransaction({ db }, async ({ db }) => {
    const [removed] = await queries.deleteMember(db, project.id, user.id)
    if (!removed)
      throw new AppError(404, 'not_found', `"${user.email}" is no member of "${project.name}". See "member list".`)
    return { revokedKeys: (await revokeKeysOf(db, project.id, user.id)).length }
  })
}

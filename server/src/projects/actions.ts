import { checkedName, joinOrganization, type User } from '../accounts/index.ts'
import type { Ctx, ProjectRole } from '../kernel/context.ts'
import { inTransaction, type Sql, type Tx } from '../kernel/database/index.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { type NewEvent, recordEvent, recordEvents } from '../kernel/events.ts'
import { isUuid } from '../kernel/http/validation.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { revokeKeysOf } from './key-queries.ts'
import { keyEvent } from './keys.ts'
import { type Acting, operatorCtx } from './operator.ts'
import { authorizeManagement } from './policy.ts'
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
    await recordEvent(ctx, {
      kind: 'project.created',
      subjectType: 'project',
      subjectId: project.id,
      payload: { name: project.name },
    })
    for (const prepare of acting.wiring.onProjectCreated) await prepare(ctx)
    return project
  })
}

export const listProjects = (db: Db) => queries.listProjects(db)

export async function loadProject(db: Db, nameOrId: string): Promise<Project> {
  const found = isUuid(nameOrId)
    ? [await queries.findProject(db, nameOrId)].filter((one) => one !== undefined)
    : await queries.findProjectsByName(db, nameOrId)
  if (found.length > 1)
    throw conflict(
      'ambiguous',
      `${found.length} organizations have a project "${nameOrId}". Use its id: ${found.map((one) => one.id).join(', ')}.`,
    )
  if (!found[0]) throw new AppError(404, 'not_found', `There is no project "${nameOrId}". See "project list".`)
  return found[0]
}

/** Adds a member or changes their role. Members of a project become members of its organization. */
export function addMember(ctx: Ctx, userId: string, role: ProjectRole): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId, organizationId } = ctx.actor
    const before = await queries.lockRole(ctx.db, projectId, userId)
    authorizeManagement(ctx.actor)
    if (before === role) return
    await joinOrganization(ctx, organizationId, userId)
    await queries.upsertMember(ctx.db, projectId, userId, role)
    await recordEvent(
      ctx,
      before === undefined
        ? memberEvent('project_member.added', userId, { role })
        : memberEvent('project_member.role_changed', userId, { from: before, to: role }),
    )
  })
}

/** Removes a member and revokes their keys in the project, so that none works again if they return. */
export function removeMember(ctx: Ctx, user: User): Promise<{ revokedKeys: number }> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    authorizeManagement(ctx.actor)
    const [removed] = await queries.deleteMember(ctx.db, projectId, user.id)
    if (!removed) {
      const project = await queries.findProject(ctx.db, projectId)
      throw new AppError(404, 'not_found', `"${user.email}" is no member of "${project!.name}". See "member list".`)
    }
    const revoked = await revokeKeysOf(ctx.db, projectId, user.id)
    await recordEvents(ctx, [
      memberEvent('project_member.removed', user.id, { role: removed.role }),
      ...revoked.map((key) => keyEvent('api_key.revoked', key)),
    ])
    return { revokedKeys: revoked.length }
  })
}

const memberEvent = (kind: string, userId: string, payload: Record<string, unknown>): NewEvent => ({
  kind,
  subjectType: 'user',
  subjectId: userId,
  payload,
})

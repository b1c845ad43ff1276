import type { Actor, Ctx } from '../../kernel/context.ts'
import { inTransaction, type Sql, type Tx } from '../../kernel/database/index.ts'
import { AppError, conflict, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { isUuid, uuidv7 } from '../../kernel/uuid.ts'
import { checkedName } from '../accounts/index.ts'
import { projectEvents } from './events.ts'
import { admitMember } from './membership.ts'
import { type Acting, operatorCtx } from './operator.ts'
import { authorizeProjects } from './policy.ts'
import type { Project } from './project.ts'
import * as queries from './queries.ts'

type Db = Sql | Tx

const nameTaken = (name: string) => conflict('already_exists', `There is a project "${name}" already.`)

/** `by` is who opened it, if it was not the operator. */
export function addProject(
  acting: Acting<Db>,
  { name, organizationId }: { name: string; organizationId: string },
  by?: Actor,
): Promise<Project> {
  return inTransaction(acting, async (acting) => {
    const project = { id: uuidv7(), name: checkedName(name), organizationId }
    if (!(await queries.insertProject(acting.db, project))) throw nameTaken(project.name)
    const ctx = operatorCtx(acting, project)
    const creating = by ? { ...ctx, actor: { ...by, projectId: project.id } } : ctx
    await recordEvent(creating, projectEvents.created(project.id, { name: project.name }))
    for (const prepare of acting.wiring.onProjectCreated) await prepare(ctx)
    return project
  })
}

/** Opens a project beside the one that the person is in, with them as its only admin. */
export function openProject(ctx: Ctx, name: string): Promise<Project> {
  return inTransaction(ctx, async (ctx) => {
    const { actor } = ctx
    authorizeProjects(actor)
    const project = await addProject(ctx, { name, organizationId: actor.organizationId }, actor)
    await admitMember({ ...ctx, actor: { ...actor, projectId: project.id } }, actor.userId!, 'admin')
    return project
  })
}

export function renameProject(ctx: Ctx, name: string): Promise<Project> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    authorizeProjects(ctx.actor)
    const before = await queries.lockProject(ctx.db, projectId)
    if (!before) throw notFound('project', projectId)
    const project = { ...before, name: checkedName(name) }
    if (project.name === before.name) return before
    if (await queries.isNameTaken(ctx.db, project)) throw nameTaken(project.name)
    await queries.updateName(ctx.db, project)
    await recordEvent(ctx, projectEvents.renamed(projectId, { from: before.name, to: project.name }))
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

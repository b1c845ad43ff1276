import { checkedName } from '../accounts/index.ts'
import { inTransaction, type Sql, type Tx } from '../kernel/database/index.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { isUuid } from '../kernel/http/validation.ts'
import { uuidv7 } from '../kernel/uuid.ts'
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

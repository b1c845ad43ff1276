import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, invalid, notFound, quoted } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { enqueueOnce } from '../../../kernel/jobs/jobs.ts'
import { recordOrganizationEvent } from '../../../kernel/organization-events.ts'
import { projectEvents } from '../events.ts'
import { authorizeDeletion } from '../policy.ts'
import { lockProject } from '../queries.ts'
import * as queries from './deletion-queries.ts'
import { REMOVE_DELETED } from './removal.ts'

/** Open tabs read the last event, and requests that were under way end. */
const REMOVE_AFTER_MS = 5_000

const nowhereElse = (name: string) =>
  conflict(
    'last_project',
    `You are in no other project of this organization, so nothing would be left after "${name}". Open another project first, then delete this one.`,
  )

/** What would be deleted. */
export async function readProjectContents(ctx: Ctx): Promise<queries.Contents> {
  authorizeDeletion(ctx.actor)
  return queries.readContents(ctx.db, ctx.actor.projectId)
}

/**
 * Deletes the project. From the commit on nobody is a member, which everything that acts checks: requests, keys, tokens,
 * live sessions and agents. The rows and the files are removed by a job (docs/decisions/0038).
 */
export function deleteProject(ctx: Ctx, name: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId, organizationId, userId } = ctx.actor
    const project = await lockProject(ctx.db, projectId)
    if (!project) throw notFound('project', projectId)
    authorizeDeletion(ctx.actor)
    if (name.trim() !== project.name)
      throw invalid([
        { pointer: '/name', detail: `${quoted(name)} is not the name of this project, which is "${project.name}".` },
      ])
    if (userId !== null && !(await queries.isMemberElsewhere(ctx.db, userId, ctx.actor)))
      throw nowhereElse(project.name)
    const { counts } = await queries.readContents(ctx.db, projectId)
    // Tells open tabs, and stops what the project does by itself.
    const deleted = projectEvents.deleted(projectId, { name: project.name })
    await recordEvent(ctx, deleted)
    const { members, keys } = await queries.closeProject(ctx.db, projectId)
    await queries.markDeleted(ctx.db, projectId)
    await recordOrganizationEvent(ctx, [organizationId], {
      ...deleted,
      payload: {
        name: project.name,
        members,
        keys,
        counts: Object.fromEntries(counts.map(({ name, live }) => [name, live])),
      },
    })
    await enqueueOnce(ctx.db, REMOVE_DELETED, {}, { key: `${REMOVE_DELETED} ${projectId}`, afterMs: REMOVE_AFTER_MS })
  })
}

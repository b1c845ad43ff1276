import type { Ctx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { ResourceType } from '../../links/index.ts'
import { wordFor } from '../document.ts'
import { loadOutline } from '../loading.ts'
import { findVisit, type Visit, writeVisit } from './visit-queries.ts'

export async function readVisit(ctx: Ctx, kind: ResourceType, id: string): Promise<Visit> {
  await loadOutline(ctx, kind, id)
  const { projectId, userId } = ctx.actor
  const visit = await findVisit(ctx.db, projectId, id, userId)
  return visit ?? { versionNumber: null, seenAt: null, newVersions: 0, authors: [] }
}

/**
 * Notes that the person has seen the document as it is. While people may still type into the newest version, the one
 * before it counts as seen, since the newest will change. A visit is private and changes nothing of the project, so it
 * records no event.
 */
export async function noteVisit(ctx: Ctx, kind: ResourceType, id: string): Promise<void> {
  if (!(await writeVisit(ctx.db, ctx.actor.projectId, kind, id, ctx.actor.userId!))) throw notFound(wordFor(kind), id)
}

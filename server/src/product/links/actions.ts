import type { Ctx, ResourceText, TxCtx } from '../../kernel/context.ts'
import { type Statement, sendTogether, type Tx } from '../../kernel/database/index.ts'
import { fieldNotFound, invalid } from '../../kernel/errors.ts'
import type { Link, ResourceType } from './link.ts'
import { deleteLinksOf, findResources, insertLinks } from './queries.ts'

interface Owner {
  type: ResourceType
  id: string
  links: Link[]
}

/** Replaces the whole connected context of the owners. */
export async function replaceContext(db: Tx, projectId: string, owners: Owner[]): Promise<void> {
  if (owners.length === 0) return
  const ids = owners.map((owner) => owner.id)
  await sendTogether([deleteLinksOf(db, projectId, ids), ...addContext(db, projectId, owners)])
}

/** The statements that connect new owners. */
export function addContext(db: Tx, projectId: string, owners: Owner[]): Statement<unknown>[] {
  const rows = owners.flatMap((owner) =>
    owner.links.map((link) => ({
      owner_id: owner.id,
      owner_type: owner.type,
      other_id: link.resourceId,
      other_type: link.resourceType,
    })),
  )
  return rows.length > 0 ? [insertLinks(db, projectId, rows)] : []
}

/** Connects two resources. Does nothing if they are connected. */
export async function connectResources(db: Tx, projectId: string, one: Link, other: Link): Promise<void> {
  await insertLinks(db, projectId, [
    {
      owner_id: one.resourceId,
      owner_type: one.resourceType,
      other_id: other.resourceId,
      other_type: other.resourceType,
    },
  ])
}

/**
 * Locks the resource that an id in a body names until the transaction ends: 404 if it does not exist, 422 if it is of
 * another type.
 */
export async function holdResource(ctx: TxCtx, { resourceType, resourceId }: Link, pointer: string): Promise<void> {
  const found = (await findResources(ctx.db, ctx.actor.projectId, [resourceId])).get(resourceId.toLowerCase())
  const wanted = resourceType.replaceAll('_', ' ')
  if (!found) throw fieldNotFound(wanted, resourceId, pointer)
  if (found !== resourceType)
    throw invalid([{ pointer, detail: `"${resourceId}" is a ${found.replaceAll('_', ' ')}, not a ${wanted}.` }])
}

/** Adds the title and content of each linked resource, or nulls if it has no text. */
export async function expandContext(ctx: Ctx, links: Link[]) {
  const texts = await readTexts(ctx, links)
  return links.map((link) => ({
    ...link,
    title: texts.get(link.resourceId)?.title ?? null,
    markdown_content: texts.get(link.resourceId)?.markdownContent ?? null,
  }))
}

/** Reads the texts of linked resources by their ids, with one query per type. */
export async function readTexts(ctx: Ctx, links: Link[]): Promise<Map<string, ResourceText>> {
  const texts = new Map<string, ResourceText>()
  for (const type of new Set(links.map((link) => link.resourceType))) {
    const ids = links.filter((link) => link.resourceType === type).map((link) => link.resourceId)
    const found = (await ctx.wiring.resources.get(type)?.(ctx.db, ctx.actor.projectId, ids)) ?? []
    for (const text of found) texts.set(text.id, text)
  }
  return texts
}

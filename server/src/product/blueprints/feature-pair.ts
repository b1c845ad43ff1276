import type { TxCtx } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/events.ts'
import {
  createDocument,
  deleteLockedDocument,
  findPair,
  findTree,
  loadOutline,
  moveLockedDocument,
  retitle,
} from '../documents/index.ts'
import { REQUIREMENTS_KIND } from '../requirements/index.ts'
import { FEATURE_CATEGORY, KIND } from './blueprint.ts'

/**
 * A feature and its blueprint are one-to-one, have the same title, and occupy the same place in mirrored trees. All
 * changes happen in the transaction that causes them, so nobody ever sees one without the other.
 */
export async function createWithFeature(ctx: TxCtx, event: RecordedEvent): Promise<void> {
  const feature = await loadOutline(ctx, REQUIREMENTS_KIND, event.subjectId)
  if (feature.treeName !== 'FEATURE') return
  refuseBeyondKit(ctx, 'blueprints', 'cannot_create', 'a blueprint would be created with it')
  const category = await findTree(ctx.db, ctx.actor.projectId, KIND, { name: FEATURE_CATEGORY })
  const parent = feature.parentId === null ? undefined : await findPair(ctx.db, ctx.actor.projectId, feature.parentId)
  await createDocument(ctx, {
    kind: KIND,
    title: feature.title,
    place: { treeId: category!.id, parentId: parent?.id ?? null, position: undefined },
    pairedWith: feature.id,
  })
}

export async function renameWithFeature(ctx: TxCtx, event: RecordedEvent): Promise<void> {
  const blueprint = await findPair(ctx.db, ctx.actor.projectId, event.subjectId)
  if (!blueprint) return
  refuseBeyondKit(ctx, 'blueprints', 'cannot_edit', 'its blueprint would be renamed with it')
  await retitle(ctx, blueprint.id, String(event.payload.to))
}

export async function renameWithBlueprint(ctx: TxCtx, event: RecordedEvent): Promise<void> {
  const blueprint = await loadOutline(ctx, KIND, event.subjectId)
  if (blueprint.pairedWith === null) return
  refuseBeyondKit(ctx, 'requirements', 'cannot_edit', 'its feature would be renamed with it')
  await retitle(ctx, blueprint.pairedWith, blueprint.title)
}

export async function moveWithFeature(ctx: TxCtx, event: RecordedEvent): Promise<void> {
  const blueprint = await findPair(ctx.db, ctx.actor.projectId, event.subjectId)
  if (!blueprint) return
  const { parent_id: parentId, position } = event.payload as { parent_id: string | null; position: number }
  const parent = parentId === null ? undefined : await findPair(ctx.db, ctx.actor.projectId, parentId)
  await moveLockedDocument(ctx, blueprint, { treeId: blueprint.treeId, parentId: parent?.id ?? null, position })
}

export async function deleteWithFeature(ctx: TxCtx, event: RecordedEvent): Promise<void> {
  const blueprint = await findPair(ctx.db, ctx.actor.projectId, event.subjectId)
  if (!blueprint) return
  refuseBeyondKit(ctx, 'blueprints', 'cannot_delete', 'its blueprint would be deleted with it')
  await deleteLockedDocument(ctx, blueprint)
}

/** What follows from the deed of an agent is a deed of the agent. */
function refuseBeyondKit({ agent }: TxCtx, domain: string, restriction: string, why: string): void {
  const kit = agent?.toolKit[domain] ?? []
  if (kit.includes(restriction) || kit.includes('cannot_view'))
    throw forbidden('beyond_kit', `The permissions of this agent do not allow this: ${why}.`)
}

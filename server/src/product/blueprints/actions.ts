import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { conflict, fieldNotFound } from '../../kernel/errors.ts'
import {
  checkNewText,
  createDocument,
  type Document,
  deleteLockedDocument,
  findTree,
  loadDocument,
  loadParent,
  lockForWrite,
  lockTrees,
  moveLockedDocument,
  openForWrite,
  type Place,
  refuseOtherKind,
  refuseStaleDocument,
} from '../documents/index.ts'
import { lockLinks } from '../links/index.ts'
import { CUSTOM_CATEGORY, FEATURE_CATEGORY, featureCategoryClosed, KIND } from './blueprint.ts'

interface NewBlueprint {
  title: string
  markdownContent: string
  parentId: string | null
  categoryId: string | null
}

/** The parent determines the place; without one, the category; without that, the custom category. */
export async function createBlueprint(
  ctx: Ctx,
  { title, markdownContent, parentId, categoryId }: NewBlueprint,
): Promise<Document> {
  const text = await checkNewText(ctx, markdownContent)
  return inTransaction(ctx, async (ctx) => {
    await lockTrees(ctx.db, ctx.actor.projectId)
    const destination = parentId === null ? await rootOf(ctx, categoryId) : await below(ctx, parentId)
    return createDocument(ctx, { kind: KIND, title, text, place: openPlaceOf(destination) })
  })
}

interface Move {
  parentId: string | null | undefined
  categoryId: string | null | undefined
  position: number | undefined
}

export function moveBlueprint(ctx: Ctx, id: string, { parentId, categoryId, position }: Move): Promise<Document> {
  return inTransaction(ctx, async (ctx) => {
    await lockTrees(ctx.db, ctx.actor.projectId)
    const document = await lockForWrite(ctx, KIND, id)
    const destination = await destinationOf(ctx, document, parentId, categoryId)
    refuseStaleDocument(ctx, document)
    if (parentId === undefined && categoryId == null && position === undefined) return document
    if (document.pairedWith !== null) throw followsItsFeature(document.pairedWith, 'moved')
    await moveLockedDocument(ctx, document, { ...openPlaceOf(destination), position })
    return loadDocument(ctx, KIND, id)
  })
}

/** An existing place. That it belongs to features is reported only after everything that may be missing or stale. */
interface Destination {
  place: Place
  isOfFeatures: boolean
}

function openPlaceOf({ place, isOfFeatures }: Destination): Place {
  if (isOfFeatures) throw featureCategoryClosed()
  return place
}

const rootAt = (treeId: string): Place => ({ treeId, parentId: null, position: undefined })

/**
 * Returns where a move leads. A parent decides, whatever the category. A parent of null means the root of the category,
 * if one is given, or of the current tree. An omitted parent keeps the current parent, even if a category is given; the
 * category decides only for a blueprint without a parent.
 */
async function destinationOf(
  ctx: TxCtx,
  document: Document,
  parentId: string | null | undefined,
  categoryId: string | null | undefined,
): Promise<Destination> {
  if (parentId) return below(ctx, parentId)
  if (categoryId && (parentId === null || document.parentId === null)) return rootOf(ctx, categoryId)
  const root = rootAt(document.treeId)
  return { place: parentId === null ? root : { ...root, parentId: document.parentId }, isOfFeatures: false }
}

export function deleteBlueprint(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    await lockTrees(ctx.db, ctx.actor.projectId)
    const document = await openForWrite(ctx, KIND, id)
    if (document.pairedWith !== null) throw followsItsFeature(document.pairedWith, 'deleted')
    await deleteLockedDocument(ctx, document)
  })
}

async function rootOf(ctx: TxCtx, categoryId: string | null): Promise<Destination> {
  const category = await findTree(
    ctx.db,
    ctx.actor.projectId,
    KIND,
    categoryId === null ? { name: CUSTOM_CATEGORY } : { id: categoryId },
  )
  if (!category) {
    if (categoryId !== null) await refuseOtherKind(ctx, '/category_id', categoryId, 'blueprint category')
    throw fieldNotFound('blueprint category', categoryId ?? CUSTOM_CATEGORY, '/category_id')
  }
  return { place: rootAt(category.id), isOfFeatures: category.name === FEATURE_CATEGORY }
}

async function below(ctx: TxCtx, parentId: string): Promise<Destination> {
  const parent = await loadParent(ctx, KIND, parentId)
  return { place: { ...rootAt(parent.treeId), parentId: parent.id }, isOfFeatures: parent.pairedWith !== null }
}

const followsItsFeature = (featureId: string, done: string) =>
  conflict(
    'feature_blueprint',
    `A feature blueprint is ${done} with its feature, the requirements document "${featureId}".`,
    {
      feature_requirements_document_id: featureId,
    },
  )

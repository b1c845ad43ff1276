import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { fieldNotFound, invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { checkExpected } from '../../kernel/expected.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { findResources, type ResourceType, registerResources, removeResources } from '../links/index.ts'
import { prepareLater } from '../live-texts/index.ts'
import { adjustLive, authorizeWrite } from '../projects/index.ts'
import { closesCircle, type Document, type DocumentOutline, wordFor } from './document.ts'
import { eventsOf } from './events.ts'
import { loadDocument, openForWrite } from './loading.ts'
import type { CheckedText } from './markdown.ts'
import * as queries from './queries.ts'
import * as placement from './tree/placement-queries.ts'
import { insertFirstVersion } from './versions/versions.ts'
import * as writes from './writes.ts'

/**
 * Returns the parent that a request body names. The caller holds the trees' lock, so the parent cannot move or be
 * deleted.
 */
export async function loadParent(ctx: TxCtx, kind: ResourceType, parentId: string): Promise<DocumentOutline> {
  const parent = await queries.findOutline(ctx.db, ctx.actor.projectId, kind, parentId)
  if (parent) return parent
  await refuseOtherKind(ctx, '/parent_id', parentId, wordFor(kind))
  throw fieldNotFound(wordFor(kind), parentId, '/parent_id')
}

/**
 * Refuses an id in a body that belongs to a resource of another kind: the field is invalid, the resource is not
 * missing.
 */
export async function refuseOtherKind(ctx: TxCtx, pointer: string, id: string, wanted: string): Promise<void> {
  const other = (await findResources(ctx.db, ctx.actor.projectId, [id])).get(id.toLowerCase())
  if (other) throw invalid([{ pointer, detail: `"${id}" is a ${wordFor(other)}, not a ${wanted}.` }])
}

interface NewDocument {
  kind: ResourceType
  title: string
  /** Empty if it is left out. */
  text?: CheckedText
  place: placement.Place
  pairedWith?: string
}

/** Creates a document, as the last of its siblings unless `place` gives a position. The slice has checked the parent. */
export async function createDocument(
  ctx: TxCtx,
  { kind, title, text = { markdownContent: '', found: [] }, place, pairedWith }: NewDocument,
): Promise<Document> {
  authorizeWrite(ctx.actor)
  const { projectId } = ctx.actor
  await placement.lockTrees(ctx.db, projectId)
  const id = uuidv7()
  const versionId = uuidv7()
  const siblings = await placement.countSiblings(ctx.db, projectId, place)
  const position = Math.min(place.position ?? siblings, siblings)
  await placement.shiftSiblings(ctx.db, projectId, place, position, 1)
  await registerResources(ctx.db, projectId, kind, [id])
  const { treeId, parentId } = place
  const { markdownContent } = text
  const columns = { id, kind, treeId, parentId, position, pairedWith: pairedWith ?? null, title, markdownContent }
  await writes.insertDocument(ctx.db, projectId, { ...columns, versionId })
  await insertFirstVersion(ctx, { documentId: id, versionId, text })
  await prepareLater(ctx, { kind, id }, markdownContent)
  await adjustLive(ctx.db, projectId, kind, 1)
  await recordEvent(ctx, eventsOf(kind).created(id, { title, tree_id: place.treeId }))
  return loadDocument(ctx, kind, id)
}

export function renameDocument(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  title: string,
  expected?: string,
): Promise<Document> {
  return inTransaction(ctx, async (ctx) => {
    // Takes the trees' lock before the row lock, as moves do: both halves of a pair can be renamed, and another order
    // would deadlock.
    await placement.lockTrees(ctx.db, ctx.actor.projectId)
    const document = await openForWrite(ctx, kind, id)
    checkExpected('title', document.title, title, expected)
    if (document.title === title) return document
    await retitle(ctx, id, title)
    await recordEvent(ctx, eventsOf(kind).renamed(id, { from: document.title, to: title }))
    return loadDocument(ctx, kind, id)
  })
}

/** Changes the title without recording an event: for the other half of a pair. */
export async function retitle(ctx: TxCtx, id: string, title: string): Promise<void> {
  await writes.updateTitle(ctx.db, ctx.actor.projectId, id, title)
}

/** Moves a document and its descendants. The caller holds the trees' lock and has checked the rules of the kind. */
export async function moveLockedDocument(ctx: TxCtx, document: DocumentOutline, to: placement.Place): Promise<void> {
  const { projectId } = ctx.actor
  const { id, kind } = document
  if (to.parentId !== null && (await placement.isWithin(ctx.db, projectId, to.parentId, id)))
    throw closesCircle(document.title)
  const from = await placement.findPlace(ctx.db, projectId, id)
  // Out of the way first, so that shifting its siblings does not shift the document.
  await placement.place(ctx.db, projectId, id, { ...from, position: -1 })
  await placement.shiftSiblings(ctx.db, projectId, { ...from, position: undefined }, from.position, -1)
  const stays = from.treeId === to.treeId && from.parentId === to.parentId
  const siblings = (await placement.countSiblings(ctx.db, projectId, to)) - (stays ? 1 : 0)
  const position = Math.min(to.position ?? siblings, siblings)
  await placement.shiftSiblings(ctx.db, projectId, to, position, 1)
  await placement.place(ctx.db, projectId, id, { treeId: to.treeId, parentId: to.parentId, position })
  if (from.treeId !== to.treeId) await placement.moveSubtreeTo(ctx.db, projectId, id, to.treeId)
  await writes.touchDocument(ctx.db, projectId, id)
  await recordEvent(ctx, eventsOf(kind).moved(id, { tree_id: to.treeId, parent_id: to.parentId, position }))
}

/** Deletes a document permanently. Its children take its place. */
export async function deleteLockedDocument(ctx: TxCtx, document: DocumentOutline): Promise<void> {
  const { projectId } = ctx.actor
  const { id, kind } = document
  const from = await placement.findPlace(ctx.db, projectId, id)
  await placement.shiftSiblings(
    ctx.db,
    projectId,
    { ...from, position: undefined },
    from.position + 1,
    document.children.length - 1,
  )
  await placement.promoteChildren(ctx.db, projectId, id, from)
  await recordEvent(ctx, eventsOf(kind).deleted(id, { title: document.title, tree_id: document.treeId }))
  await writes.deleteDocument(ctx.db, projectId, id)
  await removeResources(ctx.db, projectId, [id])
  await adjustLive(ctx.db, projectId, kind, -1)
}

import {
  checkMarkdown,
  createDocument,
  type Document,
  deleteLockedDocument,
  findTree,
  loadDocument,
  lockTrees,
  moveLockedDocument,
  openForWrite,
  wrongTree,
} from '../documents/index.ts'
import type { Ctx } from '../kernel/context.ts'
import { inTransaction } from '../kernel/database.ts'
import { AppError, fieldNotFound } from '../kernel/errors.ts'
import { lockLinks } from '../links/index.ts'
import { KIND } from './requirements-document.ts'

interface NewRequirements {
  title: string
  documentType: string
  markdownContent: string
  parentId: string | null
}

export async function createRequirements(
  ctx: Ctx,
  { title, documentType, markdownContent, parentId }: NewRequirements,
): Promise<Document> {
  await checkMarkdown(markdownContent)
  return inTransaction(ctx, async (ctx) => {
    const tree = await findTree(ctx.db, ctx.actor.projectId, KIND, { name: documentType })
    if (parentId !== null) await loadParent(ctx, parentId, tree!.id)
    return createDocument(ctx, {
      kind: KIND,
      title,
      markdownContent,
      place: { treeId: tree!.id, parentId, position: undefined },
    })
  })
}

interface Move {
  parentId: string | null | undefined
  position: number | undefined
}

/** Within its own tree: a feature stays among features. */
export function moveRequirements(ctx: Ctx, id: string, { parentId, position }: Move): Promise<Document> {
  return inTransaction(ctx, async (ctx) => {
    await lockTrees(ctx.db, ctx.actor.projectId)
    const document = await openForWrite(ctx, KIND, id)
    if (parentId === undefined && position === undefined) return document
    if (parentId) await loadParent(ctx, parentId, document.treeId)
    await moveLockedDocument(ctx, document, {
      treeId: document.treeId,
      parentId: parentId === undefined ? document.parentId : parentId,
      position,
    })
    return loadDocument(ctx, KIND, id)
  })
}

export function deleteRequirements(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    await lockTrees(ctx.db, ctx.actor.projectId)
    await deleteLockedDocument(ctx, await openForWrite(ctx, KIND, id))
  })
}

async function loadParent(ctx: Ctx, parentId: string, treeId: string): Promise<Document> {
  const parent = await loadDocument(ctx, KIND, parentId).catch((err: unknown) => {
    throw err instanceof AppError && err.status === 404
      ? fieldNotFound('requirements document', parentId, '/parent_id')
      : err
  })
  if (parent.treeId !== treeId)
    throw wrongTree(
      '/parent_id',
      `"${parentId}" is a document of type ${parent.treeName}; a parent must be of the same type.`,
    )
  return parent
}

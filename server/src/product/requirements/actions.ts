import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import {
  type CheckedText,
  checkNewText,
  createDocument,
  type Document,
  type DocumentOutline,
  deleteLockedDocument,
  findTree,
  loadDocument,
  loadOutline,
  loadParent,
  lockForWrite,
  lockTrees,
  moveLockedDocument,
  openForWrite,
  refuseStaleDocument,
  wrongTree,
} from '../documents/index.ts'
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
  const text = await checkNewText(ctx, markdownContent)
  return inTransaction(ctx, (ctx) => addRequirements(ctx, { title, documentType, text, parentId }))
}

/** Like `createRequirements`, in a transaction, with a text that was checked before. */
export async function addRequirements(
  ctx: TxCtx,
  { title, documentType, text, parentId }: Omit<NewRequirements, 'markdownContent'> & { text: CheckedText },
): Promise<Document> {
  await lockTrees(ctx.db, ctx.actor.projectId)
  const tree = await findTree(ctx.db, ctx.actor.projectId, KIND, { name: documentType })
  const parent = parentId === null ? undefined : await loadSameType(ctx, parentId, tree!.id)
  const place = { treeId: tree!.id, parentId: parent?.id ?? null, position: undefined }
  return createDocument(ctx, { kind: KIND, title, text, place })
}

interface Move {
  parentId: string | null | undefined
  position: number | undefined
}

/** Moves within its own tree: a feature stays among features. */
export function moveRequirements(ctx: Ctx, id: string, { parentId, position }: Move): Promise<Document> {
  return inTransaction(ctx, async (ctx) => {
    await lockTrees(ctx.db, ctx.actor.projectId)
    const document = await lockForWrite(ctx, KIND, id)
    const parent = parentId ? await loadSameType(ctx, parentId, document.treeId) : undefined
    refuseStaleDocument(ctx, document)
    if (parentId === undefined && position === undefined) return document
    await moveLockedDocument(ctx, document, {
      treeId: document.treeId,
      parentId: parentId === undefined ? document.parentId : (parent?.id ?? null),
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

/** FEATURE or OVERVIEW. */
export const requirementsTypeOf = async (ctx: Ctx, id: string): Promise<string> =>
  (await loadOutline(ctx, KIND, id)).treeName

async function loadSameType(ctx: TxCtx, parentId: string, treeId: string): Promise<DocumentOutline> {
  const parent = await loadParent(ctx, KIND, parentId)
  if (parent.treeId !== treeId)
    throw wrongTree(
      '/parent_id',
      `"${parentId}" is a document of type ${parent.treeName}; a parent must be of the same type.`,
    )
  return parent
}

import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { OutdatedError } from '../../kernel/database/until-current.ts'
import type { ResourceType } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import type { Document, LockedDocument } from './document.ts'
import { loadDocument, openForWrite } from './loading.ts'

/** Computes what to write and returns the write, or undefined if there is nothing to write. */
type Prepare = (document: Document) => Promise<Write | undefined>
type Write = (ctx: TxCtx, document: LockedDocument) => Promise<LockedDocument>

/**
 * One attempt of `changeShared` or `replaceShared`: reads the document, prepares the write without any lock, and writes if
 * the document is still the same.
 */
export async function changeDocument(ctx: Ctx, kind: ResourceType, id: string, prepare: Prepare): Promise<Document> {
  const seen = await loadDocument(ctx, kind, id)
  authorizeWrite(ctx.actor)
  const write = await prepare(seen)
  return inTransaction(ctx, async (ctx) => {
    const document = await openForWrite(ctx, kind, id)
    // It increases with every change of the content and of the suggestions.
    if (document.updatedAt !== seen.updatedAt) throw new OutdatedError()
    return write ? write(ctx, document) : document
  })
}

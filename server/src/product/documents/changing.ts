import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { OutdatedError, untilCurrent } from '../../kernel/database/until-current.ts'
import type { ResourceType } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import type { Document, LockedDocument } from './document.ts'
import { loadDocument, openForWrite } from './loading.ts'

/** Computes what to write and returns the write, or undefined if there is nothing to write. */
type Prepare = (document: Document) => Promise<Write | undefined>
type Write = (ctx: TxCtx, document: LockedDocument) => Promise<LockedDocument>

/** Reads a document, prepares a write without any lock, and writes if the document is still the same. If not, again. */
export const changeDocument = (ctx: Ctx, kind: ResourceType, id: string, prepare: Prepare): Promise<Document> =>
  untilCurrent(ctx.db, id, async () => {
    const seen = await loadDocument(ctx, kind, id)
    authorizeWrite(ctx.actor)
    const write = await prepare(seen)
    return inTransaction(ctx, async (ctx) => {
      const document = await openForWrite(ctx, kind, id)
      // It increases with every change of the content and of the suggestions.
      if (document.updatedAt !== seen.updatedAt) throw new OutdatedError()
      return write ? write(ctx, document) : document
    })
  })

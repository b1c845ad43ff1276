import type { Ctx } from '../../kernel/context.ts'
import { type StoredText, unlessStale } from '../../kernel/stored-text.ts'
import { listMessageTexts } from './comments/comment-queries.ts'
import { rewriteMessage } from './comments/messages.ts'
import { documentEtag } from './document.ts'
import { findDocument, listTextsWith } from './queries.ts'
import { writeDocument } from './versions/versions.ts'

/** Goes over the current texts of all documents and the comments on them that contain `part`. */
export async function* storedDocumentTexts(ctx: Ctx, part: string): AsyncGenerator<StoredText> {
  const { projectId } = ctx.actor
  for (const { id, kind } of await listTextsWith(ctx.db, projectId, part)) {
    const document = await findDocument(ctx.db, projectId, kind, id)
    if (!document) continue
    const { title, markdownContent: text } = document
    const unchanged = { ...ctx, ifMatch: documentEtag(document) }
    yield { kind, id, title, text, replace: (next) => unlessStale(() => writeDocument(unchanged, kind, id, next)) }
  }
  for (const { title, message: text, ...place } of await listMessageTexts(ctx.db, projectId, part))
    yield {
      kind: 'document_comment',
      id: place.messageId,
      title,
      text,
      replace: (next) => rewriteMessage(ctx, place, text, next),
    }
}

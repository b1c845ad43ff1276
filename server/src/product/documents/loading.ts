import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { refuseStale } from '../../kernel/http/answers/etag.ts'
import type { ResourceType } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import { type Document, type DocumentOutline, documentEtag, type LockedDocument, wordFor } from './document.ts'
import { findDocument, findOutline, holdDocument, lockDocument } from './queries.ts'

export async function loadDocument(ctx: Ctx, kind: ResourceType, id: string): Promise<Document> {
  const document = await findDocument(ctx.db, ctx.actor.projectId, kind, id)
  if (!document) throw notFound(wordFor(kind), id)
  return document
}

/** For what does not show the text. A long one takes the main thread and PostgreSQL many milliseconds. */
export async function loadOutline(ctx: Ctx, kind: ResourceType, id: string): Promise<DocumentOutline> {
  const document = await findOutline(ctx.db, ctx.actor.projectId, kind, id)
  if (!document) throw notFound(wordFor(kind), id)
  return document
}

/** Prevents a document from being deleted until the transaction ends. Several transactions can do this at once. */
export async function keepDocument(ctx: TxCtx, kind: ResourceType, id: string): Promise<void> {
  if (!(await holdDocument(ctx.db, ctx.actor.projectId, kind, id))) throw notFound(wordFor(kind), id)
}

/** Locks a document, authorizes the write and checks `If-Match`. For writes that name no other resource. */
export async function openForWrite(ctx: TxCtx, kind: ResourceType, id: string): Promise<LockedDocument> {
  const document = await lockForWrite(ctx, kind, id)
  refuseStaleDocument(ctx, document)
  return document
}

/** For writes that name another resource too: refuse a missing one first, then call `refuseStaleDocument`. */
export async function lockForWrite(ctx: TxCtx, kind: ResourceType, id: string): Promise<LockedDocument> {
  const document = await lockDocument(ctx.db, ctx.actor.projectId, kind, id)
  if (!document) throw notFound(wordFor(kind), id)
  authorizeWrite(ctx.actor)
  return document
}

export function refuseStaleDocument(ctx: Ctx, document: Document): void {
  refuseStale(ctx.ifMatch, () => documentEtag(document), { version_id: document.versionId })
}

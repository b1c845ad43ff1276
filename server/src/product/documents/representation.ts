import type { FastifyReply, FastifyRequest } from 'fastify'
import { readTogether } from '../../kernel/database/read-together.ts'
import { notModified } from '../../kernel/http/answers/etag.ts'
import { encodeData } from '../../kernel/http/answers/long-text.ts'
import { type Document, documentEtag } from './document.ts'
import type { DocumentKind } from './kind.ts'
import { readDocuments } from './queries.ts'

export function presentDetail(
  of: Pick<DocumentKind, 'presentSummary'>,
  document: Document,
  markdownContent = document.markdownContent,
) {
  const shown = of.presentSummary(document)
  shown.connectedContext = document.context
  shown.version_id = document.versionId
  shown.version_number = document.versionNumber
  shown.markdown_content = markdownContent
  return shown
}

/** Returns a function that finds documents by id. */
export const findingDocuments = (of: DocumentKind) =>
  readTogether(async (db, projectId, ids) => {
    const documents = await readDocuments(db, projectId, of.kind, ids)
    return new Map(documents.map((document) => [document.id, document]))
  })

/** Answers with a document and its tag, or with 304 if the caller already has it. */
export function answer(of: DocumentKind, req: FastifyRequest, reply: FastifyReply, document: Document) {
  if (notModified(req, reply, documentEtag(document))) return reply.send()
  return answerDetail(of, req, reply, document)
}

/** Answers with a document, or with a part or another form of its content. */
export function answerDetail(
  of: Pick<DocumentKind, 'presentSummary'>,
  req: FastifyRequest,
  reply: FastifyReply,
  document: Document,
  content = document.markdownContent,
) {
  reply.header('content-type', 'application/json; charset=utf-8')
  return encodeData(req.ctx, presentDetail(of, document, ''), 'markdown_content', content)
}

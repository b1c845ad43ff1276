import type { FastifyReply, FastifyRequest } from 'fastify'
import { readTogether } from '../kernel/database/read-together.ts'
import { answerData } from '../kernel/http/answers/etag.ts'
import type { Representation } from '../kernel/http/answers/representation.ts'
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

/** Returns the JSON body and the ETag of a whole document. */
const representDocument = (of: DocumentKind, document: Document): Representation => ({
  body: JSON.stringify({ data: presentDetail(of, document) }),
  etag: documentEtag(document),
})

/** Returns a function that finds representations by document id. */
export const findingRepresentations = (of: DocumentKind) =>
  readTogether(async (db, projectId, ids) => {
    const documents = await readDocuments(db, projectId, of.kind, ids)
    return new Map(documents.map((document) => [document.id, representDocument(of, document)]))
  })

export const answer = (of: DocumentKind, req: FastifyRequest, reply: FastifyReply, document: Document) =>
  answerData(req, reply, representDocument(of, document))

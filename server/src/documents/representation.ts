import { readTogether } from '../kernel/database/read-together.ts'
import { rememberReads } from '../kernel/database/remembered-reads.ts'
import type { Representation } from '../kernel/http/answers/representation.ts'
import { type Document, documentEtag } from './document.ts'
import type { DocumentKind } from './external-api.ts'
import { readDocumentStates, readStatedDocuments } from './queries.ts'

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

/** What a caller sees of a whole document, and the tag that stands for it. */
export const representDocument = (of: DocumentKind, document: Document): Representation => ({
  body: JSON.stringify({ data: presentDetail(of, document) }),
  etag: documentEtag(document),
})

/** The same, by id. */
export const findingRepresentations = (of: DocumentKind) =>
  readTogether(
    rememberReads({
      readStates: readDocumentStates,
      async readStated(db, projectId, ids) {
        const stated = await readStatedDocuments(db, projectId, ids)
        const ofKind = stated.filter(({ document }) => document.kind === of.kind)
        return ofKind.map(({ state, document }) => ({ id: document.id, state, ...representDocument(of, document) }))
      },
    }),
  )

/**
 * The engine under every kind of document: trees, versions, lossless markdown, tracked suggestions, comments, search.
 * It knows a kind only by its name; the rules of a kind belong to its slice.
 */

export { beginningOf, snippetOf } from '../../engines/markdown/index.ts'
export {
  createDocument,
  deleteLockedDocument,
  loadParent,
  moveLockedDocument,
  refuseOtherKind,
  renameDocument,
  retitle,
} from './actions.ts'
export { changeThread, replyToThread, startThread, takeBackMessage } from './comments/comments.ts'
export {
  type Document,
  type DocumentOutline,
  type DocumentSummary,
  type VersionAuthor,
  wrongTree,
} from './document.ts'
export { documentEvents, VersionOfDocument } from './events.ts'
export { registerDocumentRoutes } from './external-api.ts'
export type { DocumentKind } from './kind.ts'
export { loadDocument, loadOutline, lockForWrite, openForWrite, refuseStaleDocument } from './loading.ts'
export { type CheckedText, checkMarkdown, checkNewText } from './markdown.ts'
export { movedDocuments } from './moved.ts'
export { type DocumentFilters, findPair, listDocuments, readDocumentTexts } from './queries.ts'
export { answer as answerDocument, answerDetail as answerDocumentDetail, presentDetail } from './representation.ts'
export { registerReviewAppRoutes } from './review-app-api.ts'
export { detailFields, NewContent, searchHit, summaryFields, TitleFilter } from './schema.ts'
export { type Pattern, searchTexts } from './search/search.ts'
export { documentWords } from './search/search-queries.ts'
export { storedDocumentTexts } from './stored-texts.ts'
export { settleAllChanges, suggest } from './suggestions/suggestions.ts'
export { documentTools } from './tools.ts'
export { lockTrees, type Place } from './tree/placement-queries.ts'
export { registerSearchWithinRoute, registerTreeRoute } from './tree/tree-app-api.ts'
export { type DocumentTree, findTree, insertTrees, listTrees } from './tree/tree-queries.ts'
export { liveDocuments } from './typing/live-documents.ts'
export { registerOwnVersionRoutes } from './versions/app-api.ts'
export { restorableDocument } from './versions/restoring.ts'
export { closeVersion, countLines } from './versions/version-queries.ts'
export { listVersions, loadVersion, restoreVersion, writeDocument } from './versions/versions.ts'

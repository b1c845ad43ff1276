export { type Pattern, searchTexts } from './patterns.ts'
export { type DocumentSearch, type Hit, searchDocuments } from './search.ts'

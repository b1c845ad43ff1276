export { type Pattern, searchTexts } from './patterns.ts'
export { limitStatements } from './queries.ts'
export { type DocumentSearch, type Hit, searchDocuments } from './search.ts'

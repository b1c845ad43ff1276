export { type DocumentSearch, type Hit, searchDocuments } from './search.ts'

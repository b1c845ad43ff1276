/**
 * Markdown as text and as rich text: what is valid, the pending changes that stand in it, and the rich form of a
 * document with the way back that leaves untouched blocks as they were. Pure functions; nothing here knows where a
 * document is kept.
 */

export { type ParsedDocument, type ParseOptions, parseMarkdown, type SourceSlice } from './rich/parse.ts'
export { schema } from './rich/schema.ts'
export { beginningOf, snippetOf } from './snippet.ts'
export {
  acceptedView,
  type CarriedChange,
  carryOver,
  findChanges,
  type KnownChange,
  rejectedView,
  resolveChange,
} from './suggestions/changes.ts'
export type { Change as MarkdownChange } from './suggestions/critic-markup.ts'
export { applySuggestion, type SuggestionOutcome } from './suggestions/suggestions.ts'
export { type Fault, findFault } from './suggestions/validate.ts'
export { serializeBlock } from './write/serialize.ts'
export { writeBack } from './write/write-back.ts'

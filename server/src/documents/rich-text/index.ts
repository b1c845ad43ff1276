/**
 * Markdown as text and as rich text: what is valid, the pending changes that stand in it, and the rich form of a
 * document with the way back that leaves untouched blocks as they were. Pure functions; nothing here knows where a
 * document is kept.
 */
export {
  acceptedView,
  type CarriedChange,
  carryOver,
  findChanges,
  type KnownChange,
  rejectedView,
  resolveChange,
} from './changes.ts'
export type { Change as MarkdownChange } from './critic-markup.ts'
export { type ParsedDocument, type ParseOptions, parseMarkdown, type SourceSlice } from './parse.ts'
export { schema } from './schema.ts'
export { serializeBlock } from './serialize.ts'
export { beginningOf, snippetOf } from './snippet.ts'
export { applySuggestion, type SuggestionOutcome } from './suggestions.ts'
export { type Fault, findFault } from './validate.ts'
export { writeBack } from './write-back.ts'

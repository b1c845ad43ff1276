/**
 * The public functions of the markdown engine: validation, pending changes, the rich-text form of a document, and
 * writing that form back without touching unchanged blocks. All functions are pure; nothing here knows where documents
 * are stored.
 */

export { type ParsedDocument, type ParseOptions, parseMarkdown, type SourceSlice } from './rich/parse.ts'
export { marks, nodes, schema } from './rich/schema.ts'
export { beginningOf, snippetOf } from './snippet.ts'
export {
  acceptedView,
  type CarriedChange,
  carryOver,
  findChanges,
  type KnownChange,
  rejectedView,
  resolveChanges,
} from './suggestions/changes.ts'
export { type Closed, closeOpen } from './suggestions/close.ts'
export { type Change as MarkdownChange, markUp } from './suggestions/critic-markup.ts'
export { type Proposal, readProposal, writeProposal } from './suggestions/proposals.ts'
export { applySuggestion, type SuggestionOutcome } from './suggestions/suggestions.ts'
export { type Fault, findFault } from './suggestions/validate.ts'
export { alignNodes } from './write/align.ts'
export { withoutNeedlessEscapes } from './write/needless-escapes.ts'
export { pairUp } from './write/pair-up.ts'
export { serializeBlock } from './write/serialize.ts'
export { writeBack } from './write/write-back.ts'
export { isBare } from './write/write-inline.ts'

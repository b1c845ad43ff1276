/** What it takes to show a text: its blocks, their inline content and the pending changes in it. Knows no rich form. */
export type { Block, Line } from './read/block.ts'
export type { Inline, TrackedRange } from './read/inline.ts'
export { cellText, type LeafText, leafText, readLeaf } from './read/leaf-text.ts'
export { type BlockTree, readBlocks } from './read/read-blocks.ts'
export { splitRow, tableAlignment } from './read/table-row.ts'
export { findChanges } from './suggestions/changes.ts'

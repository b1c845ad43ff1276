import type { Node } from 'prosemirror-model'
import type { Block } from '../read/block.ts'
import type { TrackedRange } from '../read/inline.ts'
import { type BlockTree, readBlocks } from '../read/read-blocks.ts'
import { findChanges, viewOf } from '../suggestions/changes.ts'
import type { Change } from '../suggestions/critic-markup.ts'
import { richBlock } from './rich-block.ts'
import { CannotCarry } from './rich-inline.ts'
import { schema } from './schema.ts'

/** The position in the source of the top-level node with the same index, excluding the trailing line ending. */
export interface SourceSlice {
  from: number
  to: number
}

export interface ParsedDocument {
  doc: Node
  /** One entry per child of `doc`, in order. Only whitespace separates them. */
  blocks: SourceSlice[]
  tree: BlockTree
}

export interface ParseOptions {
  /** IDs of the pending changes, in `findChanges` order. Defaults to their position, starting at 1. */
  changeIds?: string[]
  /** The whole document, when `source` is one part of it. Supplies link definitions and footnotes. */
  within?: BlockTree
}

/** Parses a document into its rich form. Never fails: a block that the schema cannot represent keeps its markdown. */
export function parseMarkdown(source: string, options: ParseOptions = {}): ParsedDocument {
  const changes = findChanges(source)
  const masked = maskBlockChanges(source, changes)
  const tree = readBlocks(masked)
  if (options.within) addDefinitions(tree, options.within)
  const tracked = changes.map(({ kind, from, to }, at) => {
    return { kind, from, to, id: options.changeIds?.[at] ?? String(at + 1) }
  })
  let next = 0
  const nodes = tree.root.children.map((block) => {
    const first = next
    while (next < changes.length && changes[next]!.from < block.to) next++
    const inside = changes.slice(first, next)
    const carried = inside.every((change) => masked[change.from] !== MASK) && keepsStructure(source, block, inside)
    return carried ? carry(source, block, tree, tracked.slice(first, next)) : opaque(source, block)
  })
  const blocks = tree.root.children.map(({ from, to }) => ({ from, to }))
  return { doc: schema.nodes.doc.create(null, nodes), blocks, tree }
}

/**
 * Avoids a copy when the part defines nothing itself, which is the usual case and matters when many parts are parsed.
 */
function addDefinitions(tree: BlockTree, { references, footnotes }: BlockTree) {
  tree.references = tree.references.size === 0 ? references : new Map([...tree.references, ...references])
  tree.footnotes = tree.footnotes.size === 0 ? footnotes : new Set([...tree.footnotes, ...footnotes])
}

/** An unclosed fence is closed here: without what follows it, it would lose the empty line it ends with. */
function opaque(source: string, block: Block): Node {
  const end = block.kind === 'fence' && !block.closed ? `\n${block.marker.repeat(block.size)}` : ''
  return schema.nodes.opaque_block.create({ source: source.slice(block.from, block.to) + end })
}

function carry(source: string, block: Block, tree: BlockTree, changes: TrackedRange[]): Node {
  try {
    const node = richBlock(block, { source, tree, changes })
    return changes.length === 0 || countTracked(node) === changes.length ? node : opaque(source, block)
  } catch (err) {
    if (err instanceof CannotCarry) return opaque(source, block)
    throw err
  }
}

function countTracked(node: Node): number {
  const ids = new Set<string>()
  node.descendants((child) => {
    for (const { type, attrs } of child.marks)
      if (type === schema.marks.insertion || type === schema.marks.deletion) ids.add(attrs.id as string)
  })
  return ids.size
}

const MASK = '\ue000'
/** Matches lines that can only continue the paragraph before them. */
const PROSE = /^ {0,3}[\p{L}"'(]/u

/**
 * Masks changes that span several blocks, such as a replaced code block, with characters that have no meaning in
 * markdown. The affected blocks then parse as one block, which keeps its markdown.
 */
function maskBlockChanges(source: string, changes: Change[]): string {
  const parts: string[] = []
  let pos = 0
  for (const { from, to, text } of changes) {
    const lines = text.split(/\r\n|\n|\r/)
    if (lines.slice(1).every((line) => PROSE.test(line))) continue
    parts.push(source.slice(pos, from), MASK.repeat(to - from))
    pos = to
  }
  return parts.length === 0 ? source : parts.join('') + source.slice(pos)
}

/**
 * True if the block has the same structure with its changes shown, accepted and rejected, so they only change its text.
 */
function keepsStructure(source: string, block: Block, changes: Change[]): boolean {
  if (changes.length === 0) return true
  const shown = source.slice(block.from, block.to)
  const moved = changes.map((change) => ({ ...change, from: change.from - block.from, to: change.to - block.from }))
  if (moved.some(({ to }) => to > shown.length)) return false
  const structure = structureOf(readBlocks(shown).root)
  const keeps = (kept: Change['kind']) => {
    const view = viewOf(shown, moved, kept)
    if (block.kind === 'paragraph' && view.trim() === '') return true
    return structureOf(readBlocks(view).root) === structure
  }
  return keeps('insertion') && keeps('deletion')
}

function structureOf(block: Block): string {
  const { kind, marker, size } = block
  const lines = kind === 'table' ? block.lines.length : ''
  // A paragraph whose whole text is suggested is not there without it. Its item or quote still is.
  const children = block.children.filter((child) => child.kind !== 'paragraph')
  // A space that is added at the start of an item indents its text, which changes nothing else.
  return `${kind}${marker}${kind === 'item' ? '' : size}${lines}(${children.map(structureOf).join()})`
}

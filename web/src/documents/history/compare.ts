import { findChanges, parseMarkdown, readProposal, rejectedView } from '@slipway/server/markdown'
import { diffArrays, diffLines } from 'diff'
import type { Node } from 'prosemirror-model'
import { schema } from '../editor/schema.ts'
import { mergeWords } from './merge-words.ts'

interface Block {
  source: string
  node: Node
}

/** A line of code, and where it is. */
export interface CodeLine {
  sign: ' ' | '+' | '-'
  text: string
}

export type Change =
  | { type: 'same'; blocks: Node[] }
  /** `inline` shows both versions in one block, if they differ only in words. */
  | {
      type: 'changed'
      old: Node | undefined
      fresh: Node | undefined
      /** Their markdown. */
      oldSource: string | undefined
      freshSource: string | undefined
      inline: Node | undefined
      code: CodeLine[] | undefined
      /** Set if the text is the same without what is suggested: it waits now, or did before. */
      suggested: 'now' | 'before' | undefined
    }

const MAX_EDITS = 4_000

function readBlocks(text: string): Block[] {
  const { doc, blocks } = parseMarkdown(text)
  return doc.children.map((node, at) => ({
    source: text.slice(blocks[at]!.from, blocks[at]!.to),
    node: schema.nodeFromJSON(node.toJSON()),
  }))
}

/** What differs between two versions, block by block. */
export function compareVersions(before: string, after: string): Change[] {
  const [old, fresh] = [readBlocks(before), readBlocks(after)]
  const sources = (blocks: Block[]) => blocks.map(({ source }) => source)
  const parts = diffArrays(sources(old), sources(fresh), { maxEditLength: MAX_EDITS }) ?? [
    { removed: true, added: false, count: old.length },
    { removed: false, added: true, count: fresh.length },
  ]
  const changes: Change[] = []
  let [oldAt, freshAt] = [0, 0]
  let gone: Block[] = []
  const flush = (added: Block[]) => {
    let at = 0
    for (const block of added) {
      const proposed = proposedIn(block, gone.slice(at))
      changes.push(...(proposed?.changes ?? [pairOf(gone[at], block)]))
      at += proposed ? proposed.count : 1
    }
    for (const block of gone.slice(at)) changes.push(pairOf(block, undefined))
    gone = []
  }
  for (const { added, removed, count } of parts) {
    if (removed) {
      gone = old.slice(oldAt, oldAt + count)
      oldAt += count
    } else if (added) {
      flush(fresh.slice(freshAt, freshAt + count))
      freshAt += count
    } else {
      flush([])
      changes.push({ type: 'same', blocks: fresh.slice(freshAt, freshAt + count).map(({ node }) => node) })
      oldAt += count
      freshAt += count
    }
  }
  flush([])
  return changes
}

/** A block that proposes others for the next ones that are gone, as what differs between these and those. */
function proposedIn({ source, node }: Block, gone: Block[]): { changes: Change[]; count: number } | undefined {
  const proposal = node.type === schema.nodes.opaque_block ? readProposal(source) : undefined
  if (!proposal) return undefined
  const old = readBlocks(proposal.old)
  if (!old.every((block, at) => block.source === gone[at]?.source)) return undefined
  const changes = compareVersions(proposal.old, proposal.fresh).map(
    (change): Change => (change.type === 'same' ? change : { ...change, suggested: 'now' }),
  )
  return { changes, count: old.length }
}

/** The text of a block without what is suggested in it. */
const settled = (block: Block | undefined) => (block ? rejectedView(block.source).trim() : '')
const isSuggested = (block: Block | undefined) => block !== undefined && findChanges(block.source).length > 0

function pairOf(old: Block | undefined, fresh: Block | undefined): Change {
  const isSameKind = old && fresh && old.node.type === fresh.node.type
  const isCode = isSameKind && fresh.node.type === schema.nodes.code_block
  const [was, is] = [settled(old), settled(fresh)]
  const suggested = was !== is ? undefined : isSuggested(fresh) ? 'now' : isSuggested(old) ? 'before' : undefined
  // A block that holds its suggestions in its text shows them itself.
  const shown = suggested === 'now' ? fresh!.node : suggested === 'before' ? old!.node : undefined
  const words = isSameKind && !isCode && !suggested ? mergeWords(fresh.node.type.name, was, is) : undefined
  return {
    type: 'changed',
    old: old?.node,
    fresh: fresh?.node,
    oldSource: old?.source,
    freshSource: fresh?.source,
    inline: shown && shown.type !== schema.nodes.opaque_block ? shown : words,
    suggested,
    code: isCode ? codeLines(old.node.textContent, fresh.node.textContent) : undefined,
  }
}

function codeLines(old: string, fresh: string): CodeLine[] {
  return diffLines(`${old}\n`, `${fresh}\n`).flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : ' '
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): CodeLine => ({ sign, text }))
  })
}

/** How many lines came and went. */
export function countLines(before: string, after: string): { added: number; removed: number } {
  const count = { added: 0, removed: 0 }
  for (const { added, removed, count: lines = 0 } of diffLines(before, after)) {
    if (added) count.added += lines
    if (removed) count.removed += lines
  }
  return count
}

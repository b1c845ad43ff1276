import { findChanges, parseMarkdown, readProposal, rejectedView } from '@slipway/server/markdown'
import type { Node } from 'prosemirror-model'
import { compareLines, compareLists, soonest } from '../../lib/differences.ts'
import { schema } from '../schema.ts'
import { type Block, mergeWords } from './merge-words.ts'

/** A line of code, and where it is. */
export interface CodeLine {
  sign: ' ' | '+' | '-'
  text: string
}

export type Change =
  | { type: 'same'; blocks: Block[] }
  /** `inline` shows both versions in one block, if they differ only in words. */
  | {
      type: 'changed'
      old: Node | undefined
      fresh: Node | undefined
      /** Their markdown. */
      oldSource: string | undefined
      freshSource: string | undefined
      inline: Block | undefined
      code: CodeLine[] | undefined
      /** Set if the text is the same without what is suggested: it waits now, or did before. */
      suggested: 'now' | 'before' | undefined
    }

function readBlocks(text: string): Block[] {
  const { doc, blocks } = parseMarkdown(text)
  return doc.children.map((node, at) => ({
    source: text.slice(blocks[at]!.from, blocks[at]!.to),
    node: schema.nodeFromJSON(node.toJSON()),
  }))
}

/** What differs between two versions, block by block. */
export function compareVersions(before: string, after: string, until = soonest()): Change[] {
  const [old, fresh] = [readBlocks(before), readBlocks(after)]
  const sources = (blocks: Block[]) => blocks.map(({ source }) => source)
  const parts = compareLists(sources(old), sources(fresh), until)
  const changes: Change[] = []
  let [oldAt, freshAt] = [0, 0]
  let gone: Block[] = []
  const flush = (added: Block[]) => {
    let at = 0
    for (const block of added) {
      const proposed = proposedIn(block, { gone, at }, until)
      changes.push(...(proposed?.changes ?? [pairOf(gone[at], block, until)]))
      at += proposed ? proposed.count : 1
    }
    for (const block of gone.slice(at)) changes.push(pairOf(block, undefined, until))
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
      changes.push({ type: 'same', blocks: fresh.slice(freshAt, freshAt + count) })
      oldAt += count
      freshAt += count
    }
  }
  flush([])
  return changes
}

/** A block that proposes others for the next ones that are gone, as what differs between these and those. */
function proposedIn(
  { source, node }: Block,
  { gone, at }: { gone: Block[]; at: number },
  until: number,
): { changes: Change[]; count: number } | undefined {
  const proposal = node.type === schema.nodes.opaque_block ? readProposal(source) : undefined
  if (!proposal) return undefined
  const old = readBlocks(proposal.old)
  if (!old.every((block, step) => block.source === gone[at + step]?.source)) return undefined
  const changes = compareVersions(proposal.old, proposal.fresh, until).map(
    (change): Change => (change.type === 'same' ? change : { ...change, suggested: 'now' }),
  )
  return { changes, count: old.length }
}

/** The text of a block without what is suggested in it. */
const settled = (block: Block | undefined) => (block ? rejectedView(block.source).trim() : '')
const isSuggested = (block: Block | undefined) => block !== undefined && findChanges(block.source).length > 0

function pairOf(old: Block | undefined, fresh: Block | undefined, until: number): Change {
  const isSameKind = old && fresh && old.node.type === fresh.node.type
  const isCode = isSameKind && fresh.node.type === schema.nodes.code_block
  const [was, is] = [settled(old), settled(fresh)]
  const suggested = was !== is ? undefined : isSuggested(fresh) ? 'now' : isSuggested(old) ? 'before' : undefined
  // A block that holds its suggestions in its text shows them itself.
  const shown = suggested === 'now' ? fresh : suggested === 'before' ? old : undefined
  const words = isSameKind && !isCode && !suggested ? mergeWords(fresh.node.type.name, was, is, until) : undefined
  return {
    type: 'changed',
    old: old?.node,
    fresh: fresh?.node,
    oldSource: old?.source,
    freshSource: fresh?.source,
    inline: shown && shown.node.type !== schema.nodes.opaque_block ? shown : words,
    suggested,
    code: isCode ? codeLines(old.node.textContent, fresh.node.textContent, until) : undefined,
  }
}

function codeLines(old: string, fresh: string, until: number): CodeLine[] {
  return compareLines(`${old}\n`, `${fresh}\n`, until).flatMap(({ value, added, removed }) => {
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
  for (const { added, removed, count: lines } of compareLines(before, after)) {
    if (added) count.added += lines
    if (removed) count.removed += lines
  }
  return count
}

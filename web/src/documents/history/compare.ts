import { parseMarkdown } from '@slipway/server/markdown'
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
    for (let at = 0; at < Math.max(gone.length, added.length); at++) changes.push(pairOf(gone[at], added[at]))
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

function pairOf(old: Block | undefined, fresh: Block | undefined): Change {
  const isSameKind = old && fresh && old.node.type === fresh.node.type
  const isCode = isSameKind && fresh.node.type === schema.nodes.code_block
  return {
    type: 'changed',
    old: old?.node,
    fresh: fresh?.node,
    oldSource: old?.source,
    freshSource: fresh?.source,
    inline: isSameKind && !isCode ? mergeWords(fresh.node.type.name, old.source, fresh.source) : undefined,
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

import type { Node } from 'prosemirror-model'
import {
  type ParsedDocument,
  parseMarkdown,
  readProposal,
  rejectedView,
  schema,
  writeProposal,
} from '../../../engines/markdown/index.ts'
import { keyOf } from './block-key.ts'

/** Blocks that stand together in the old text and are no longer there, and their bytes from one to another. */
interface Gone {
  keys: string[]
  bytes(first: number, last: number): string
  isProposal: boolean
}

/**
 * Editors know what blocks say, but not how they were written. Whoever proposes other blocks must not change the old
 * ones: the proposal gets their bytes, and they get them back if nothing is proposed any more. Returns undefined if there
 * is nothing to give.
 */
export function withOldNotation(
  source: string,
  parsed: ParsedDocument,
  fresh: readonly Node[],
  matches: readonly number[],
): Node[] | undefined {
  const kept = new Set(matches)
  const wasProposed = parsed.doc.children.some((node, at) => !kept.has(at) && proposalIn(node))
  const isProposed = fresh.some((node, at) => matches[at]! < 0 && proposalIn(node))
  if (!wasProposed && !isProposed) return undefined
  const gone = findGone(source, parsed, kept)
  const unmatchedFrom = (start: number) => {
    const end = matches.findIndex((match, at) => at > start && match >= 0)
    return fresh.slice(start, end < 0 ? fresh.length : end)
  }
  const nodes: Node[] = []
  let isNew = false
  for (let at = 0; at < fresh.length; ) {
    const found = matches[at]! < 0 ? inOldNotation(unmatchedFrom(at), gone) : undefined
    nodes.push(found ? schema.nodes.opaque_block.create({ source: found.text }) : fresh[at]!)
    isNew ||= found !== undefined
    at += found?.count ?? 1
  }
  return isNew ? nodes : undefined
}

const proposalIn = (node: Node) =>
  node.type === schema.nodes.opaque_block ? readProposal(String(node.attrs.source)) : undefined

function findGone(source: string, { doc, blocks, tree }: ParsedDocument, kept: ReadonlySet<number>): Gone[] {
  const runs: { first: number; last: number; isProposal: boolean }[] = []
  doc.children.forEach((node, at) => {
    if (kept.has(at)) return
    const isProposal = proposalIn(node) !== undefined
    const run = runs.at(-1)
    if (run && run.last === at - 1 && !run.isProposal && !isProposal) run.last = at
    else runs.push({ first: at, last: at, isProposal })
  })
  return runs.map(({ first, last, isProposal }) => {
    const old = rejectedView(source.slice(blocks[first]!.from, blocks[last]!.to))
    const parsed = parseMarkdown(old, { within: tree })
    return { keys: parsed.doc.children.map(keyOf), bytes: slicer(old, parsed.blocks), isProposal }
  })
}

const slicer = (text: string, blocks: ParsedDocument['blocks']) => (first: number, last: number) =>
  text.slice(blocks[first]!.from, blocks[last]!.to)

/** The text for the first of the new nodes, and how many of them it is. */
function inOldNotation(nodes: readonly Node[], gone: Gone[]): { text: string; count: number } | undefined {
  const proposal = proposalIn(nodes[0]!)
  if (!proposal) {
    const back = gone.find(({ keys, isProposal }) => isProposal && startsWith(nodes.map(keyOf), keys))
    return back && { text: back.bytes(0, back.keys.length - 1), count: back.keys.length }
  }
  const wanted = parseMarkdown(proposal.old).doc.children.map(keyOf)
  for (const { keys, bytes } of gone) {
    const first = keys.findIndex((_, at) => startsWith(keys.slice(at), wanted))
    const old = first < 0 ? proposal.old : bytes(first, first + wanted.length - 1)
    const text = old === proposal.old ? undefined : writeProposal({ ...proposal, old })
    if (text !== undefined) return { text, count: 1 }
  }
  return undefined
}

const startsWith = (keys: string[], wanted: string[]) =>
  wanted.length > 0 && wanted.every((key, at) => key === keys[at])

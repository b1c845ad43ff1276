import { type Block, isCode } from '../read/block.ts'
import type { Inline } from '../read/inline.ts'
import { hasInline, leafTexts, readLeaf } from '../read/leaf-text.ts'
import type { BlockTree } from '../read/read-blocks.ts'
import { isEscaped } from './critic-markup.ts'

export interface Range {
  from: number
  to: number
}

/** A range and the text that replaces it. */
export interface Replacement extends Range {
  text: string
}

function overlaps(range: Range, other: Range): boolean {
  return other.from < range.to && other.to > range.from
}

function covers(range: Range, other: Range): boolean {
  return range.from <= other.from && other.to <= range.to
}

function join(range: Range, other: Range): Range {
  return { from: Math.min(range.from, other.from), to: Math.max(range.to, other.to) }
}

function leavesIn(block: Block, range: Range, found: Block[] = []): Block[] {
  for (const child of block.children) {
    if (!overlaps(range, child)) continue
    if (child.children.length === 0) found.push(child)
    else leavesIn(child, range, found)
  }
  return found
}

function inlinesIn(leaf: Block, range: Range, tree: BlockTree): Inline[] {
  return leafTexts(leaf)
    .filter(({ lines }) => lines.some(({ at, text }) => overlaps(range, { from: at, to: at + text.length })))
    .flatMap((text) => readLeaf(text, tree))
}

/**
 * Widens a change until its markers parse as markers and split nothing. Level 0 covers whole code blocks, code spans
 * and formatting pairs; level 1 whole leaves; level 2 whole top-level blocks; level 3 the whole document.
 */
export function widen(source: string, tree: BlockTree, range: Range, level: number): Range {
  if (level >= 3) return { from: 0, to: source.length }
  let wide = range
  if (level === 2) {
    for (const block of tree.root.children) if (overlaps(range, block)) wide = join(wide, block)
    return wide
  }
  for (const leaf of leavesIn(tree.root, range)) {
    if (isCode(leaf) || level === 1) wide = join(wide, leaf)
    else if (hasInline(leaf)) for (const node of inlinesIn(leaf, range, tree)) wide = widenInline(wide, node)
  }
  if (isEscaped(source, wide.from)) wide = { from: wide.from - 1, to: wide.to }
  return wide
}

function widenInline(range: Range, node: Inline): Range {
  if (!overlaps(range, node) || covers(range, node)) return range
  if (node.kind === 'text' && node.text.length === node.to - node.from) return range
  if (node.kind === 'autolink' && node.style === 'literal') return range
  if (node.kind === 'soft') return range
  const inner = { from: node.innerFrom, to: node.innerTo }
  if (node.kind !== 'image' && node.children.length > 0 && covers(inner, range)) {
    let wide = range
    for (const child of node.children) wide = widenInline(wide, child)
    return wide
  }
  return join(range, node)
}

/**
 * Fits a range found in the rendered text to the formatting around it. The range absorbs a pair whose content it fully
 * contains. A pair that it cuts is closed before the range or reopened after it.
 */
export function fitToFormatting(source: string, tree: BlockTree, match: Replacement): Replacement {
  const pairs = leavesIn(tree.root, match)
    .filter(hasInline)
    .flatMap((leaf) => inlinesIn(leaf, match, tree))
  const fitted = { ...match }
  for (const node of pairs) absorb(fitted, node)
  let before = ''
  let after = ''
  for (const node of pairs) {
    const cut = cutPair(source, fitted, node)
    if (!cut) continue
    if (node.from < fitted.from) before = cut
    else after = cut
    if (node.from < fitted.from) fitted.from = node.from
    else fitted.to = node.to
  }
  return { ...fitted, text: before + match.text + after }
}

function absorb(range: Range, node: Inline) {
  if (!overlaps(range, node) || node.children.length + (node.kind === 'code' ? 1 : 0) === 0) return
  for (const child of node.children) absorb(range, child)
  const inner = { from: node.innerFrom, to: node.innerTo }
  if (covers(inner, range) || !covers(range, inner)) return
  range.from = Math.min(range.from, node.from)
  range.to = Math.max(range.to, node.to)
}

/** Returns what remains of a pair that the range cuts: its content outside the range, with its own delimiters. */
function cutPair(source: string, range: Range, node: Inline): string | undefined {
  const inner = { from: node.innerFrom, to: node.innerTo }
  if (!overlaps(range, node) || covers(range, node) || covers(inner, range)) return undefined
  if (inner.from === node.from || node.kind === 'image') return undefined
  const inside = node.children.map((child) => cutPair(source, range, child)).find((cut) => cut !== undefined)
  const cutChild = node.children.find(
    (child) => overlaps(range, child) && !covers(range, child) && child.children.length > 0,
  )
  const open = source.slice(node.from, node.innerFrom)
  const close = source.slice(node.innerTo, node.to)
  if (node.from < range.from) {
    const rest = source.slice(node.innerFrom, cutChild && inside ? cutChild.from : range.from) + (inside ?? '')
    const kept = rest.trimEnd()
    return kept === '' ? rest : open + kept + close + rest.slice(kept.length)
  }
  const rest = (inside ?? '') + source.slice(cutChild && inside ? cutChild.to : range.to, node.innerTo)
  const kept = rest.trimStart()
  return kept === '' ? rest : rest.slice(0, rest.length - kept.length) + open + kept + close
}

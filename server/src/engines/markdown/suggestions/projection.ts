import type { Block } from '../read/block.ts'
import type { Inline } from '../read/inline.ts'
import { hasInline, leafTexts, readLeaf } from '../read/leaf-text.ts'
import type { BlockTree } from '../read/read-blocks.ts'

/** The rendered text with whitespace collapsed, and the source range of each character. */
export interface Projection {
  text: string
  from: number[]
  to: number[]
}

interface Writer {
  parts: string[]
  from: number[]
  to: number[]
  /** True at the start and after a space. More whitespace adds nothing then. */
  spaced: boolean
}

export function project(source: string, tree: BlockTree): Projection {
  const writer: Writer = { parts: [], from: [], to: [], spaced: true }
  projectBlock(writer, source, tree, tree.root)
  return { text: writer.parts.join(''), from: writer.from, to: writer.to }
}

function projectBlock(writer: Writer, source: string, tree: BlockTree, block: Block) {
  if (hasInline(block)) {
    for (const leaf of leafTexts(block)) {
      for (const node of readLeaf(leaf, tree)) projectInline(writer, node)
      write(writer, ' ', block.to, block.to)
    }
  } else if (block.kind === 'frontMatter') writeVerbatim(writer, source.slice(block.from, block.to), block.from)
  else {
    for (const line of block.lines) {
      writeVerbatim(writer, line.text, line.at)
      write(writer, ' ', line.at + line.text.length, line.at + line.text.length)
    }
  }
  for (const child of block.children) projectBlock(writer, source, tree, child)
  write(writer, ' ', block.to, block.to)
}

function projectInline(writer: Writer, node: Inline) {
  if (node.kind === 'soft' || node.kind === 'hard') write(writer, ' ', node.from, node.to)
  else if (node.kind === 'image') for (const child of node.children) projectInline(writer, child)
  else if (node.kind === 'text' && node.text.length === node.to - node.from) writeVerbatim(writer, node.text, node.from)
  else if (node.kind === 'code' && node.text.length === node.innerTo - node.innerFrom)
    writeVerbatim(writer, node.text, node.innerFrom)
  else if (node.kind === 'text' || node.kind === 'code' || node.kind === 'autolink')
    for (const char of node.text.split('')) write(writer, char, node.from, node.to)
  else for (const child of node.children) projectInline(writer, child)
}

function writeVerbatim(writer: Writer, text: string, at: number) {
  for (let index = 0; index < text.length; index++) write(writer, text[index]!, at + index, at + index + 1)
}

function write(writer: Writer, char: string, from: number, to: number) {
  const space = /\s/.test(char)
  if (space && writer.spaced) return
  writer.spaced = space
  writer.parts.push(space ? ' ' : char)
  writer.from.push(from)
  writer.to.push(to)
}

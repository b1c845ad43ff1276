import { schema as engineSchema, parseMarkdown, serializeBlock } from '@slipway/server/markdown'
import { type Fragment, type Node, Slice } from 'prosemirror-model'
import { schema } from './schema.ts'

/** The blocks of a markdown text, as the editor holds them. */
export const blocksOf = (text: string): Node[] =>
  parseMarkdown(text).doc.children.map((node) => schema.nodeFromJSON(node.toJSON()))

/** Text as people paste it. One paragraph flows into the line at the cursor. */
export function sliceOf(text: string): Slice {
  const blocks = blocksOf(text)
  const isInline = blocks.length === 1 && blocks[0]!.type === schema.nodes.paragraph
  const content = schema.nodes.doc.create(null, blocks).content
  return isInline ? new Slice(content, 1, 1) : new Slice(content, 0, 0)
}

/** What is copied, as markdown. */
export function writeMarkdown(content: Fragment): string {
  const written: string[] = []
  content.forEach((node) => {
    const block = node.isInline || node.type.name.startsWith('table_') || node.type === schema.nodes.list_item
    written.push(
      block ? node.textBetween(0, node.content.size, '\n') || (node.text ?? '') : serializeBlock(toEngine(node)),
    )
  })
  return written.join('\n\n')
}

const toEngine = (node: Node) => engineSchema.nodeFromJSON(node.toJSON())

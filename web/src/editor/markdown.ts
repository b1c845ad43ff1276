import { schema as engineSchema, parseMarkdown, serializeBlock } from '@slipway/server/markdown'
import { type Fragment, type Node, Slice } from 'prosemirror-model'
import { schema } from './schema.ts'

/** The blocks of a markdown text, as the editor holds them. */
export const blocksOf = (text: string): Node[] =>
  parseMarkdown(text).doc.children.map((node) => schema.nodeFromJSON(node.toJSON()))

/** Text as people paste it. One line flows into the line at the cursor, with the spaces around it. */
export function sliceOf(text: string): Slice {
  const line = text.replace(/\r?\n$/, '')
  const isLine = !/[\r\n]/.test(line)
  const words = line.trim()
  const start = line.indexOf(words)
  const [before, after] = isLine ? [line.slice(0, start), line.slice(start + words.length)] : []
  const blocks = blocksOf(isLine ? words : text)
  const [first] = blocks
  if (blocks.length > 1 || (first && first.type !== schema.nodes.paragraph)) return new Slice(contentOf(blocks), 0, 0)
  const spaces = (found: string | undefined) => (found ? [schema.text(found.replaceAll(/\s/g, ' '))] : [])
  const inline = [...spaces(before), ...(first?.children ?? []), ...spaces(after)]
  return new Slice(contentOf([schema.nodes.paragraph.create(null, inline)]), 1, 1)
}

const contentOf = (blocks: Node[]) => schema.nodes.doc.create(null, blocks).content

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

import type { Mark, Node } from 'prosemirror-model'
import type { BlockTree } from '../read/read-blocks.ts'
import { parseMarkdown } from '../rich/parse.ts'
import { schema } from '../rich/schema.ts'
import { withoutEdgeSpaces } from './edge-spaces.ts'
import { CARE } from './escape-text.ts'
import { regularTable } from './regular-table.ts'
import { isTightList, writeBlock } from './write-block.ts'
import { isBare } from './write-inline.ts'

/**
 * Writes a block as markdown that parses back to the same block, escaping more until it does. `within` supplies the
 * link definitions and footnotes of its document.
 */
export function serializeBlock(node: Node, within?: BlockTree): string {
  const options = within ? { within } : {}
  const readsAs = (text: string, block: Node) =>
    meaningOf(parseMarkdown(text, options).doc.children) === meaningOf([block])
  let text = ''
  for (const care of CARE) {
    text = writeBlock(node, { care, readsAs })
    if (readsAs(text, node)) return text
  }
  return text
}

/** Attributes that record notation only. */
const WRITING = new Set(['style', 'marker', 'delimiter', 'depth', 'fence', 'length', 'markup', 'label', 'id'])

/** Describes what blocks say, ignoring notation and empty paragraphs, which markdown does not have. */
export function meaningOf(nodes: readonly Node[]): string {
  return JSON.stringify(nodes.flatMap(describe))
}

type Description = unknown[]

function describe(node: Node): Description[] {
  if (node.type === schema.nodes.paragraph && node.content.size === 0) return []
  const type = node.type === schema.nodes.indented_code ? 'code_block' : node.type.name
  const attrs: [string, unknown][] = node.type === schema.nodes.indented_code ? [['info', '']] : attributes(node)
  if (node.inlineContent) return [[type, attrs, describeInline(node)]]
  const content: Description[] = []
  const said = node.type === schema.nodes.table ? regularTable(node) : node
  said.forEach((child) => void content.push(...describe(child)))
  if (isList(node)) attrs.push(['tight', isTightList(node)])
  return [[type, attrs, content, node.marks.map((mark) => mark.type.name)]]
}

const isLiteral = (link: Mark, node: Node) => link.attrs.style === 'literal' && isBare(link, node)

/** Where markdown has no other line break, such as in a table, `<br>` is one. */
const isBreak = ({ type, attrs }: Node) =>
  type === schema.nodes.hard_break || (type === schema.nodes.html_inline && /^<br\s*\/?>$/i.test(attrs.html))

/** Joins adjacent texts that have the same marks. */
function describeInline(node: Node): Description[] {
  const content: [string, string][] = []
  const oneLine = node.type !== schema.nodes.paragraph && !(node.attrs.level <= 2)
  for (const child of withoutEdgeSpaces(node.content, oneLine)) {
    // A bare address is a link wherever it stands, so the mark adds nothing to its text.
    const said = child.marks.filter((mark) => mark.type !== schema.marks.link || !isLiteral(mark, child))
    const marks = said.map(({ type, attrs }) => [type.name, attrs.href ?? '', attrs.title ?? ''])
    const key = JSON.stringify([...(isBreak(child) ? ['break', []] : [child.type.name, attributes(child)]), marks])
    const last = content.at(-1)
    if (child.isText && last?.[0] === key) last[1] += child.text
    else content.push([key, child.text ?? ''])
  }
  return content
}

function attributes(node: Node): [string, unknown][] {
  const named = node.type === schema.nodes.footnote_definition || node.type === schema.nodes.footnote_reference
  return Object.entries(node.attrs).filter(
    ([name]) => named || !(WRITING.has(name) || (name === 'tight' && isList(node))),
  )
}

const isList = ({ type }: Node) => type === schema.nodes.bullet_list || type === schema.nodes.ordered_list

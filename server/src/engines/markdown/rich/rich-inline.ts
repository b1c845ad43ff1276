import type { Mark, Node } from 'prosemirror-model'
import { type Inline, plainText } from '../read/inline.ts'
import { schema } from './schema.ts'

/** Thrown for content that the schema cannot represent without loss. The block then keeps its markdown. */
export class CannotCarry extends Error {}

const NESTED = { em: schema.marks.em, strong: schema.marks.strong, strike: schema.marks.strike }

export function inlineContent(nodes: Inline[]): Node[] {
  const content: Node[] = []
  for (const node of nodes) addInline(content, node, [], 0)
  return content
}

function addInline(content: Node[], node: Inline, marks: readonly Mark[], depth: number) {
  switch (node.kind) {
    case 'text':
      addText(content, node.text, marks)
      return
    case 'code':
      addText(content, node.text, [...marks, schema.marks.code.create()])
      return
    case 'autolink': {
      const link = schema.marks.link.create({ href: node.href, style: node.style, depth })
      addText(content, node.text, inside(marks, link))
      return
    }
    case 'html':
      content.push(schema.nodes.html_inline.create({ html: node.text }, null, marks))
      return
    case 'soft':
      content.push(schema.nodes.soft_break.create(null, null, marks))
      return
    case 'hard': {
      const style = node.text === '\\' ? 'backslash' : 'spaces'
      content.push(schema.nodes.hard_break.create({ style }, null, marks))
      return
    }
    case 'footnote':
      content.push(schema.nodes.footnote_reference.create({ label: node.text }, null, marks))
      return
    case 'image': {
      const { href: src, title, style, label } = node
      const alt = plainText(node.children)
      content.push(schema.nodes.image.create({ src, alt, title, style, label }, null, marks))
      return
    }
    case 'tooDeep':
      throw new CannotCarry('nests too deep')
    default:
      addPair(content, node, marks, depth)
  }
}

function addPair(content: Node[], node: Inline, marks: readonly Mark[], depth: number) {
  const mark = markOf(node, depth)
  const before = content.length
  for (const child of node.children) addInline(content, child, inside(marks, mark), depth + 1)
  if (content.length === before) throw new CannotCarry('a mark on nothing')
}

function markOf(node: Inline, depth: number): Mark {
  if (node.kind === 'insertion' || node.kind === 'deletion') return schema.marks[node.kind].create({ id: node.label })
  if (node.kind === 'link') {
    const { href, title, style, label } = node
    return schema.marks.link.create({ href, title, style, label, depth })
  }
  const type = NESTED[node.kind as keyof typeof NESTED]
  return type.create({ delimiter: node.label.repeat(node.kind === 'strike' ? node.innerFrom - node.from : 1), depth })
}

/** Markdown can nest a mark inside a mark of the same kind, or a link inside a link. The rich form cannot. */
function inside(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  if (marks.some((other) => other.type === mark.type)) throw new CannotCarry(`${mark.type.name} in itself`)
  return mark.addToSet(marks)
}

function addText(content: Node[], text: string, marks: readonly Mark[]) {
  if (text === '') throw new CannotCarry('an empty text')
  const sorted = marks.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), [])
  const last = content.at(-1)
  const node = schema.text(text, sorted)
  if (last?.isText && last.sameMarkup(node)) content[content.length - 1] = schema.text(last.text + text, sorted)
  else content.push(node)
}

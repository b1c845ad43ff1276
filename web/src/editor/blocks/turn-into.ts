import { Fragment, type Node } from 'prosemirror-model'
import { Selection } from 'prosemirror-state'
import { schema } from '../schema.ts'
import type { BlockEdit } from './commands.ts'

const { nodes } = schema

export type Form = 'text' | 'h1' | 'h2' | 'h3' | 'list' | 'numbers' | 'tasks' | 'quote' | 'code'

const isList = ({ type }: Node) => type === nodes.bullet_list || type === nodes.ordered_list
const LISTS = new Set<Form>(['list', 'numbers', 'tasks'])

/** What a block is now. Undefined for tables, pictures and others that cannot become anything else. */
function formOf(node: Node, parent: Node): Form | undefined {
  const { type, attrs } = node
  if (type === nodes.list_item) return attrs.checked !== null ? 'tasks' : formOf(parent, parent)
  if (type === nodes.paragraph) return 'text'
  if (type === nodes.heading) return attrs.level <= 3 ? (`h${attrs.level}` as Form) : 'h3'
  if (type === nodes.bullet_list) return node.firstChild?.attrs.checked === null ? 'list' : 'tasks'
  if (type === nodes.ordered_list) return 'numbers'
  if (type === nodes.blockquote) return 'quote'
  return type.spec.code ? 'code' : undefined
}

/** The lines of text in a block, each with its marks. Undefined if there is more than text in it. */
function linesOf(node: Node): Fragment[] | undefined {
  if (node.type.spec.code)
    return node.textContent.split('\n').map((line) => Fragment.from(line ? schema.text(line) : []))
  if (node.inlineContent) return [node.content]
  if (node.type !== nodes.list_item && node.type !== nodes.blockquote && !isList(node)) return undefined
  const lines = node.children.map(linesOf)
  return lines.includes(undefined) ? undefined : (lines as Fragment[][]).flat()
}

const plainText = (line: Fragment) =>
  line.textBetween(0, line.size, '', ({ type, attrs }) =>
    type === nodes.hard_break || type === nodes.soft_break ? '\n' : String(attrs.alt ?? attrs.html ?? ''),
  )

function build(form: Form, lines: Fragment[]): Node[] {
  const paragraphs = () => lines.map((line) => nodes.paragraph.create(null, line))
  if (form === 'text') return paragraphs()
  if (form === 'quote') return [nodes.blockquote.create(null, paragraphs())]
  if (form === 'code') {
    const text = lines.map(plainText).join('\n')
    return [nodes.code_block.create(null, text ? schema.text(text) : null)]
  }
  if (LISTS.has(form)) {
    const checked = form === 'tasks' ? false : null
    const type = form === 'numbers' ? nodes.ordered_list : nodes.bullet_list
    return [
      type.create(
        null,
        paragraphs().map((line) => nodes.list_item.create({ checked }, line)),
      ),
    ]
  }
  return lines.map((line) => nodes.heading.create({ level: Number(form[1]) }, line))
}

/** A list keeps its items and what is nested in them. */
function relist(form: Form, list: Node): Node {
  const type = form === 'numbers' ? nodes.ordered_list : nodes.bullet_list
  const items = list.children.map((item) =>
    item.type.create({ ...item.attrs, checked: form === 'tasks' ? (item.attrs.checked ?? false) : null }, item.content),
  )
  return type.create({ tight: list.attrs.tight }, items)
}

/** An item that becomes something else divides its list. An item that becomes another kind of item takes its list along. */
export const turnInto =
  (form: Form): BlockEdit =>
  (state, { at, node }) => {
    const $at = state.doc.resolve(at)
    const { parent } = $at
    const current = formOf(node, parent)
    if (current === undefined || current === form) return undefined
    const isItem = node.type === nodes.list_item
    const whole = isItem ? { at: $at.before(), node: parent } : { at, node }
    const index = $at.index()
    let fresh: Node[]
    let skipped = 0
    if (isList(whole.node) && LISTS.has(form)) {
      fresh = [relist(form, whole.node)]
      skipped = at - whole.at
    } else {
      const lines = linesOf(node)
      if (!lines) return undefined
      const part = (from: number, to?: number) => {
        const items = parent.children.slice(from, to)
        if (!isItem || items.length === 0) return []
        const start = parent.type === nodes.ordered_list ? { start: parent.attrs.start + from } : {}
        return [parent.type.create({ ...parent.attrs, ...start }, items)]
      }
      const before = part(0, index)
      skipped = before[0]?.nodeSize ?? 0
      fresh = [...before, ...build(form, lines), ...part(index + 1)]
    }
    const { tr } = state
    tr.replaceWith(whole.at, whole.at + whole.node.nodeSize, fresh)
    return tr.setSelection(Selection.near(tr.doc.resolve(whole.at + skipped + 1))).scrollIntoView()
  }

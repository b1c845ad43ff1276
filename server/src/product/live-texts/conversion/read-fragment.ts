import { Fragment, Mark, type Node, type NodeType } from 'prosemirror-model'
import * as Y from 'yjs'
import { schema } from '../../../engines/markdown/index.ts'
import { FIELD, fragmentOf } from './fragment.ts'

export { FIELD, fragmentOf }

export interface SharedBlock {
  element: Y.XmlElement
  node: Node
  place: number
}

/**
 * Reads the shared content as a document without changing it. Skips whatever the schema does not know or does not allow
 * in its place. It comes from an editor with another schema, or from two concurrent edits, and the editors repair it
 * themselves.
 */
export function readFragment(fragment: Y.XmlFragment): Node {
  return schema.nodes.doc.create(
    null,
    blocksOf(fragment).map(({ node }) => node),
  )
}

export function blocksOf(parent: Y.XmlFragment): SharedBlock[] {
  return parent.toArray().flatMap((child, place) => {
    const node = child instanceof Y.XmlElement ? readElement(child) : null
    return node?.isBlock ? [{ element: child as Y.XmlElement, node, place }] : []
  })
}

/** Far more than a document may have, and far less than the stack can take. */
const MAX_DEPTH = 200

function readElement(element: Y.XmlElement, depth = 0): Node | null {
  const type: NodeType | undefined = schema.nodes[element.nodeName as keyof typeof schema.nodes]
  if (!type || type.isText || type === schema.topNodeType || depth > MAX_DEPTH) return null
  const children = element.toArray().flatMap((child) => {
    if (child instanceof Y.XmlText) return type.inlineContent ? readText(child, type) : []
    const node = child instanceof Y.XmlElement ? readElement(child, depth + 1) : null
    return node && type.contentMatch.matchType(node.type) ? [node] : []
  })
  const content = Fragment.from(type.inlineContent ? withMarksFromText(children) : children)
  return type.validContent(content) ? type.create(readAttributes(element, type), content) : null
}

/**
 * Yjs stores marks on text only. A node between two texts, such as a line break or an image, gets the marks that both
 * texts share.
 */
export function withMarksFromText(inline: readonly Node[]): Node[] {
  const before = textsBefore(inline)
  const after = textsBefore(inline.toReversed()).reverse()
  return inline.map((node, at) => {
    const marks = before[at]?.marks.filter((mark) => mark.isInSet(after[at]?.marks ?? []))
    return node.isText || !marks || Mark.sameSet(marks, node.marks) ? node : node.mark(marks)
  })
}

function textsBefore(inline: readonly Node[]): (Node | undefined)[] {
  let last: Node | undefined
  return inline.map((node) => {
    const before = last
    if (node.isText) last = node
    return before
  })
}

function readText(text: Y.XmlText, parent: NodeType): Node[] {
  const delta = text.toDelta() as { insert: unknown; attributes?: Record<string, unknown> }[]
  return delta.flatMap(({ insert, attributes = {} }) => {
    if (typeof insert !== 'string' || insert === '') return []
    return [schema.text(insert, parent.allowedMarks(readMarks(attributes)))]
  })
}

/** A text that one person suggests and another one suggests to delete is new: nobody has decided about it yet. */
export function readMarks(attributes: Record<string, unknown>): Mark[] {
  const marks = Object.entries(attributes).flatMap(([name, attrs]) => readMark(name, attrs))
  const isNew = marks.some(({ type }) => type === schema.marks.insertion)
  return Mark.setFrom(isNew ? marks.filter(({ type }) => type !== schema.marks.deletion) : marks) as Mark[]
}

/** Takes marks from texts that exclude each other, so that editors show what the markdown says. */
export function dropExcludedMarks(shared: Y.Doc): boolean {
  let isDropped = false
  const visit = (parent: Y.XmlFragment) => {
    for (const child of parent.toArray()) {
      if (child instanceof Y.XmlElement) visit(child)
      if (!(child instanceof Y.XmlText)) continue
      let at = 0
      for (const { insert, attributes } of child.toDelta() as {
        insert: string
        attributes?: Record<string, unknown>
      }[]) {
        if (attributes?.insertion && attributes.deletion) {
          child.format(at, insert.length, { deletion: null })
          isDropped = true
        }
        at += insert.length
      }
    }
  }
  shared.transact(() => visit(fragmentOf(shared)))
  return isDropped
}

/** Marks that can occur several times on one text have a hash after their name. */
const HASHED = /--[a-zA-Z0-9+/=]{8}$/

function readMark(name: string, attrs: unknown): Mark[] {
  const type = schema.marks[name.replace(HASHED, '') as keyof typeof schema.marks]
  if (!type) return []
  const given = typeof attrs === 'object' && attrs !== null ? (attrs as Record<string, unknown>) : {}
  return [type.create(checked(given, type.spec.attrs))]
}

function readAttributes(element: Y.XmlElement, type: NodeType): Record<string, unknown> {
  return checked(element.getAttributes() as Record<string, unknown>, type.spec.attrs)
}

type Specs = Record<string, { default?: unknown }> | undefined

const MAX_ATTRIBUTE_VALUES: Record<string, number> = { level: 6, length: 100, depth: 1_000 }

/** An editor can send anything. Ignores attributes that no document could have. */
function checked(given: Record<string, unknown>, specs: Specs): Record<string, unknown> {
  const attrs: Record<string, unknown> = {}
  for (const [name, { default: fallback }] of Object.entries(specs ?? {})) {
    const value = given[name]
    if (fallback === null ? isPlain(value) : typeof value === typeof fallback && isInRange(name, value))
      attrs[name] = value
  }
  return attrs
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

function isInRange(name: string, value: unknown): boolean {
  if (typeof value !== 'number') return true
  return (
    Number.isInteger(value) &&
    value >= (name === 'level' ? 1 : 0) &&
    value <= (MAX_ATTRIBUTE_VALUES[name] ?? 999_999_999)
  )
}

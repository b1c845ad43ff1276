import { Mark, type Node } from 'prosemirror-model'
import { updateYFragment } from 'y-prosemirror'
import * as Y from 'yjs'
import { alignUnits, type FreshUnit, freshUnits, type SharedUnit, sharedUnits } from './text-units.ts'

type Attributes = Record<string, unknown>
interface Op {
  retain?: number
  delete?: number
  insert?: string
  attributes?: Attributes
}

/** A text of the element, or a new one, and what is to happen to it. */
interface Text {
  child: number | undefined
  ops: Op[]
}

/**
 * Updates the inline content of an element with the smallest edit. The letters that stay are not touched, so whoever
 * types between them continues there. A text is emptied and never removed, because someone may type in it.
 */
export function writeText(shared: Y.Doc, element: Y.XmlElement, fresh: Node): void {
  const old = sharedUnits(element)
  const units = freshUnits(fresh)
  const layout = planText(element, old, units, alignUnits(old, units))
  for (const { child, ops } of layout.texts)
    if (child !== undefined && ops.some(({ retain, attributes }) => retain === undefined || attributes))
      (element.get(child) as Y.XmlText).applyDelta(ops)
  arrange(shared, element, layout.parts)
}

type Part = { child: number } | { text: Text } | { node: Node }

/** Lays out the children of the element in their new order. Children that it does not name are removed. */
function planText(element: Y.XmlElement, old: SharedUnit[], fresh: FreshUnit[], matches: number[]) {
  const texts = new Map<number, Text>()
  const parts: Part[] = []
  /** Texts that a new node divides. What follows it moves to another text. */
  const divided = new Set<Text>()
  let open: Text | undefined
  let next = 0
  let nextChild = 0

  const textAt = (child: number): Text => {
    let text = texts.get(child)
    if (!text) {
      for (; nextChild < child; nextChild++) if (element.get(nextChild) instanceof Y.XmlText) textAt(nextChild)
      text = { child, ops: [] }
      texts.set(child, text)
      parts.push({ child })
      nextChild = Math.max(nextChild, child + 1)
    }
    return text
  }
  const isText = (child: number) => element.get(child) instanceof Y.XmlText
  const add = (unit: FreshUnit) => {
    if (unit.node) {
      if (open) divided.add(open)
      open = undefined
      parts.push({ node: unit.node })
      return
    }
    if (!open) {
      const isFree = nextChild < element.length && isText(nextChild)
      open = isFree ? textAt(nextChild) : { child: undefined, ops: [] }
      if (!isFree) parts.push({ text: open })
    }
    push(open, { insert: unit.key, attributes: attributesOf(unit.marks) })
  }
  const drop = (unit: SharedUnit) => {
    if (isText(unit.child)) push(textAt(unit.child), { delete: 1 })
    else nextChild = Math.max(nextChild, unit.child + 1)
  }
  const keep = (unit: SharedUnit, freshUnit: FreshUnit) => {
    if (!isText(unit.child)) {
      for (; nextChild < unit.child; nextChild++) if (isText(nextChild)) textAt(nextChild)
      parts.push({ child: unit.child })
      nextChild = unit.child + 1
      open = undefined
      return
    }
    const text = textAt(unit.child)
    if (divided.has(text)) {
      push(text, { delete: 1 })
      add(freshUnit)
      return
    }
    open = text
    push(text, { retain: 1, ...formatting(unit, freshUnit) })
  }

  fresh.forEach((unit, at) => {
    const match = matches[at]!
    if (match < 0) add(unit)
    else {
      while (next < match) drop(old[next++]!)
      keep(old[next++]!, unit)
    }
  })
  while (next < old.length) drop(old[next++]!)
  for (; nextChild < element.length; nextChild++) if (isText(nextChild)) textAt(nextChild)
  return { parts, texts: texts.values() }
}

/** Adds an edit of one character to the edits of a text. */
function push({ ops }: Text, op: Op): void {
  const last = ops.at(-1)
  const isLike = last && JSON.stringify(last.attributes) === JSON.stringify(op.attributes)
  if (isLike && last.retain && op.retain) last.retain++
  else if (isLike && last.delete && op.delete) last.delete++
  else if (isLike && last.insert && op.insert) last.insert += op.insert
  else ops.push(op)
}

const attributesOf = (marks: readonly Mark[]): Attributes =>
  Object.fromEntries(marks.map(({ type, attrs }) => [type.name, attrs]))

function formatting(unit: SharedUnit, { marks }: FreshUnit): Pick<Op, 'attributes'> | undefined {
  if (Mark.sameSet(unit.marks, marks)) return undefined
  const attributes = attributesOf(marks.filter((mark) => !mark.isInSet(unit.marks)))
  for (const name of Object.keys(unit.attributes))
    if (!marks.some(({ type }) => type.name === name)) attributes[name] = null
  return { attributes }
}

function arrange(shared: Y.Doc, element: Y.XmlElement, parts: Part[]): void {
  const kept = new Set(parts.map((part) => ('child' in part ? part.child : -1)))
  for (let child = element.length - 1; child >= 0; child--) if (!kept.has(child)) element.delete(child, 1)
  parts.forEach((part, at) => {
    if ('child' in part) return
    if ('text' in part) {
      const text = new Y.XmlText()
      element.insert(at, [text])
      text.applyDelta(part.text.ops)
    } else {
      const inner = new Y.XmlElement(part.node.type.name)
      element.insert(at, [inner])
      updateYFragment(shared, inner, part.node, { mapping: new Map(), isOMark: new Map() })
    }
  })
}

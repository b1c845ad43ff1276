import { findChanges } from '@slipway/server/markdown'
import type { Mark, Node } from 'prosemirror-model'
import { schema } from '../schema.ts'

const { insertion, deletion } = schema.marks

/** A piece of text that is suggested to come or to go. */
export interface TrackedRun {
  /** Undefined in a block that is shown as markdown: only the server knows it. */
  id: string | undefined
  kind: 'insertion' | 'deletion'
  text: string
  from: number
  to: number
  /** It is a whole block, whose markdown the server may have in another notation. */
  isBlock?: boolean
}

export const trackedMark = (marks: readonly Mark[]) => marks.find(({ type }) => type === insertion || type === deletion)

const known = new WeakMap<Node, TrackedRun[]>()

/** All suggestions of a document, in order. Blocks that did not change are not read again. */
export function trackedRuns(doc: Node): TrackedRun[] {
  const runs: TrackedRun[] = []
  doc.forEach((block, at) => {
    let inside = known.get(block)
    if (!inside) {
      inside = runsOf(block)
      known.set(block, inside)
    }
    for (const run of inside) runs.push({ ...run, from: run.from + at, to: run.to + at })
  })
  return runs
}

/** Positions count from the start of the block. */
function runsOf(block: Node): TrackedRun[] {
  const runs: TrackedRun[] = []
  if (block.isAtom) {
    const source = String(block.attrs.source ?? block.attrs.html ?? '')
    for (const { kind, text } of findChanges(source))
      runs.push({ id: undefined, kind, text, from: 0, to: 1, isBlock: true })
    return runs
  }
  let last: TrackedRun | undefined
  block.descendants((node, pos) => {
    if (!node.isInline) {
      last = undefined
      return
    }
    const from = pos + 1
    const to = from + node.nodeSize
    const mark = node.isText ? trackedMark(node.marks) : undefined
    if (!mark) {
      // Yjs stores no marks on a line break, so one between two parts of a suggestion belongs to it.
      const isBreak = node.type === schema.nodes.soft_break || node.type === schema.nodes.hard_break
      if (last && isBreak && last.to === from) last = { ...last, to }
      else last = undefined
      return
    }
    const { id } = mark.attrs
    const before = runs.at(-1)
    if (last && before && last.to === from && before.id === id && before.kind === mark.type.name) {
      before.text += (last.to > before.to ? '\n' : '') + node.text
      before.to = to
    } else runs.push({ id, kind: mark.type.name as TrackedRun['kind'], text: node.text!, from, to })
    last = { ...runs.at(-1)! }
  })
  return runs
}

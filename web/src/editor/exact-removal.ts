import type { Node } from 'prosemirror-model'
import type { Transaction } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'
import * as Y from 'yjs'

/** Blocks that are taken out of a document. */
export interface Removed {
  before: Node
  from: number
  count: number
}

/**
 * The blocks that a transaction takes out, if it does nothing but that and then put blocks in, as moving does. Undefined
 * for any other edit.
 */
export function removedIn(tr: Transaction): Removed[] | undefined {
  const removed: Removed[] = []
  let isPuttingIn = false
  for (const [at, step] of tr.steps.entries()) {
    if (!(step instanceof ReplaceStep) || step.slice.openStart > 0 || step.slice.openEnd > 0) return undefined
    const before = tr.docs[at]!
    const [$from, $to] = [before.resolve(step.from), before.resolve(step.to)]
    if (!$from.sameParent($to) || $from.parent.inlineContent) return undefined
    if (step.from === step.to) isPuttingIn = true
    // The live document does not have yet what was put in, so places behind it would be wrong.
    else if (isPuttingIn || step.slice.size > 0) return undefined
    else removed.push({ before, from: step.from, count: $to.index() - $from.index() })
  }
  return removed.length > 0 && isPuttingIn ? removed : undefined
}

/** Returns false if the live document does not have the blocks as they were shown. */
export function removeFrom(fragment: Y.XmlFragment, { before, from, count }: Removed): boolean {
  const $from = before.resolve(from)
  let parent: unknown = fragment
  for (let depth = 0; depth < $from.depth && parent instanceof Y.XmlFragment; depth++)
    parent = parent.get($from.index(depth))
  if (!(parent instanceof Y.XmlFragment) || parent.length !== $from.parent.childCount) return false
  parent.delete($from.index(), count)
  return true
}

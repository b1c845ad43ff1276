import { Mark, type Node, type ResolvedPos } from 'prosemirror-model'
import { Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'
import { ySyncPluginKey } from 'y-prosemirror'
import * as Y from 'yjs'
import { type Removed, removedIn, removeFrom } from './exact-removal.ts'

/** An edit since the page was drawn last. */
interface Edit {
  /** Undefined if it is more than typing in one text: y-prosemirror writes marks, and the typing that comes with them. */
  typed: Typed[] | undefined
  /** Undefined if it does more than take blocks out and put blocks in. */
  removed: Removed[] | undefined
  previous: Edit | undefined
}

interface Typed {
  before: Node
  from: number
  to: number
  added: readonly Node[]
}

const key = new PluginKey<Edit | undefined>('exact-typing')

/**
 * Writes what is typed into the live document, letter by letter, and removes from it the blocks that are removed.
 * y-prosemirror compares texts and blocks to find out what happened. Of two equal letters next to each other it takes the
 * wrong one, it marks a letter only after it is there, so what two people suggest at one place gets mixed up, and it writes
 * the words of a moved block into its neighbor, where the words that others type in it would land. It comes after this
 * plugin and does the rest.
 */
export const exactTyping = (): Plugin =>
  new Plugin({
    key,
    state: {
      init: () => undefined,
      apply: (tr, last: Edit | undefined) =>
        tr.docChanged ? { typed: typedIn(tr), removed: removedIn(tr), previous: last } : last,
    },
    view: () => ({
      update(view, prevState) {
        const last = key.getState(prevState)
        const edits: Edit[] = []
        for (let edit = key.getState(view.state); edit && edit !== last; edit = edit.previous) edits.unshift(edit)
        const binding = ySyncPluginKey.getState(view.state)?.binding as Binding | undefined
        const [first] = edits
        const typed = edits.every((edit) => edit.typed) ? edits.flatMap((edit) => edit.typed!) : undefined
        const removed = edits.length === 1 ? first!.removed : undefined
        // What was looked at once need not be remembered.
        for (const edit of edits) edit.previous = undefined
        if (!binding || (!typed && !removed)) return
        binding.mux(() => {
          binding.doc.transact(() => {
            if (removed) removed.every((one) => removeFrom(binding.type, one))
            else if (typed?.every((one) => write(binding, one)))
              for (const { before, from } of typed) remap(binding, view.state.doc, before.resolve(from))
          }, ySyncPluginKey)
        })
      },
    }),
  })

function typedIn(tr: Transaction): Typed[] | undefined {
  if (tr.getMeta(ySyncPluginKey) !== undefined) return undefined
  const typed: Typed[] = []
  for (const [at, step] of tr.steps.entries()) {
    const one = step instanceof ReplaceStep ? typedBy(tr.docs[at]!, step) : undefined
    if (!one) return undefined
    typed.push(one)
  }
  return typed
}

function typedBy(before: Node, { from, to, slice }: ReplaceStep): Typed | undefined {
  const [$from, $to] = [before.resolve(from), before.resolve(to)]
  const added = slice.content.content
  const isText = slice.openStart === 0 && slice.openEnd === 0 && added.every((node) => node.isText)
  const isInText = $from.sameParent($to) && $from.parent.inlineContent && startOfText($from) === startOfText($to)
  return isText && isInText ? { before, from, to, added } : undefined
}

/** The index of the first text among those that are next to each other at this place. Yjs has them as one. */
function startOfText($pos: ResolvedPos): number {
  let index = $pos.index()
  while (index > 0 && $pos.parent.child(index - 1).isText) index--
  return index
}

interface Binding {
  type: Y.XmlFragment
  doc: Y.Doc
  mux(run: () => void): void
  /** What y-prosemirror knows to be shown for each part of the live document. */
  mapping: Map<unknown, Node | Node[]>
}

/** Returns false if the live document does not have the text as it was shown. */
function write({ type }: Binding, { before, from, to, added }: Typed): boolean {
  const $from = before.resolve(from)
  const { parent } = $from
  const text = textAt(type, $from)
  const first = startOfText($from)
  const start = $from.start() + parent.children.slice(0, first).reduce((sum, node) => sum + node.nodeSize, 0)
  let shown = ''
  for (let at = first; parent.maybeChild(at)?.isText; at++) shown += parent.child(at).text
  const isShown = text && lettersOf(text) === shown
  if (!isShown || !added.every(({ marks }) => marks.every(isPlain))) return false
  if (to > from) text.delete(from - start, to - from)
  const { nodeBefore } = $from
  const { nodeAfter } = before.resolve(to)
  const isApart =
    added.length > 0 &&
    nodeBefore?.isText &&
    nodeBefore.marks.length > 0 &&
    !Mark.sameSet(nodeBefore.marks, added[0]!.marks)
  let at = from - start
  // Yjs writes at the end of what is marked before its end mark, and the new text would depend on it. Not behind a letter.
  if (isApart) text.insert(at, PLACEHOLDER, attributesOf(nodeAfter?.marks ?? []))
  if (isApart) at++
  for (const { text: letters, marks } of added) {
    text.insert(at, letters!, attributesOf(marks))
    at += letters!.length
  }
  if (isApart) text.delete(from - start, 1)
  return true
}

/** Tells y-prosemirror what is shown now. Its cursors depend on it. */
function remap({ type, mapping }: Binding, doc: Node, $pos: ResolvedPos): void {
  let [shared, shown]: [unknown, Node] = [type, doc]
  for (let depth = 0; depth < $pos.depth && shared instanceof Y.XmlFragment; depth++) {
    shared = shared.get($pos.index(depth))
    shown = shown.child($pos.index(depth))
    mapping.set(shared, shown)
  }
  const text = textAt(type, $pos)
  const letters: Node[] = []
  for (let at = startOfText($pos); shown.maybeChild(at)?.isText; at++) letters.push(shown.child(at))
  if (letters.length > 0) mapping.set(text, letters)
  else mapping.delete(text)
}

const PLACEHOLDER = '\u200b'

const attributesOf = (marks: readonly Mark[]) => Object.fromEntries(marks.map(({ type, attrs }) => [type.name, attrs]))

const lettersOf = (text: Y.XmlText) =>
  (text.toDelta() as { insert: unknown }[])
    .map(({ insert }) => (typeof insert === 'string' ? insert : '\ufffc'))
    .join('')

/** y-prosemirror gives marks that can be several times on one text other names. */
const isPlain = ({ type }: Mark) => type.excludes(type)

function textAt(fragment: Y.XmlFragment, $pos: ResolvedPos): Y.XmlText | undefined {
  let parent: unknown = fragment
  for (let depth = 0; depth < $pos.depth && parent instanceof Y.XmlFragment; depth++)
    parent = parent.get($pos.index(depth))
  if (!(parent instanceof Y.XmlElement) || parent.nodeName !== $pos.parent.type.name) return undefined
  // Texts next to each other are one child.
  const children = $pos.parent.children.slice(0, startOfText($pos))
  const index = children.filter((node, at) => !node.isText || !children[at - 1]?.isText).length
  const text = parent.get(index)
  return text instanceof Y.XmlText ? text : undefined
}

import { isBare } from '@slipway/server/markdown'
import type { Mark, Node, ResolvedPos } from 'prosemirror-model'
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ySyncPluginKey, yUndoPluginKey } from 'y-prosemirror'
import { blocksOf } from '../markdown.ts'
import { schema } from '../schema.ts'
import { PROPOSED } from '../suggesting/block-proposal.ts'

interface Address {
  from: number
  to: number
  text: string
  link: Mark
}

const { link, code, deletion } = schema.marks
const MAX_LENGTH = 2_000

/** The address that ends at the cursor, if markdown would read it as a link. */
export function addressBefore($head: ResolvedPos): Address | undefined {
  const { parent, parentOffset, pos } = $head
  if (!parent.inlineContent || parent.type.spec.code) return undefined
  const before = parent.textBetween(Math.max(0, parentOffset - MAX_LENGTH), parentOffset, '\n', '\ufffc')
  const [word] = /[^\s\ufffc]+$/.exec(before) ?? []
  if (!word || !/https?:\/\/|www\./i.test(word)) return undefined
  // The whole word is read as markdown, because what has a meaning there, such as a `*`, cannot be written bare.
  const [block, ...more] = blocksOf(word)
  if (!block || more.length > 0 || block.textContent !== word) return undefined
  let at = pos - word.length
  for (const { text = '', marks } of block.children) {
    const found = link.isInSet(marks)
    if (found && /^https?:/i.test(found.attrs.href) && isFree($head.doc, at, at + text.length))
      return { from: at, to: at + text.length, text, link: found }
    at += text.length
  }
  return undefined
}

const isFree = (doc: Node, from: number, to: number) =>
  [link, code, deletion].every((mark) => !doc.rangeHasMark(from, to, mark))

/** Turns an address into a link once a space or Enter follows it. One step of Undo takes only the link back. */
export function typedAddresses(): Plugin {
  let ended: Address | undefined
  const note = (view: EditorView) => {
    ended = view.state.selection.empty && !view.composing ? addressBefore(view.state.selection.$head) : undefined
    return false
  }
  return new Plugin({
    props: {
      handleTextInput: (view, _from, _to, text) => text === ' ' && note(view),
      handleKeyDown: (view, event) => event.key === 'Enter' && note(view),
    },
    appendTransaction: (transactions, _before, state) =>
      transactions.some((tr) => tr.docChanged && tr.getMeta(ySyncPluginKey) === undefined)
        ? withoutStaleLinks(state)
        : undefined,
    view: () => ({
      update(view, before) {
        const address = ended
        if (!address || view.state.doc.eq(before.doc)) return
        ended = undefined
        const { state } = view
        if (address.to > state.doc.content.size || state.doc.textBetween(address.from, address.to) !== address.text)
          return
        const undo = yUndoPluginKey.getState(state)?.undoManager
        undo?.stopCapturing()
        // A bare address is a link in markdown anyway, so there is nothing to suggest.
        view.dispatch(state.tr.addMark(address.from, address.to, address.link).setMeta(PROPOSED, {}))
        undo?.stopCapturing()
      },
    }),
  })
}

/** An address that is edited is text again, so that it never leads to where it no longer says. */
function withoutStaleLinks(state: EditorState): Transaction | undefined {
  const { parent, pos, parentOffset } = state.selection.$head
  if (!parent.inlineContent) return undefined
  const { tr } = state
  parent.forEach((node, offset) => {
    const found = link.isInSet(node.marks)
    const from = pos - parentOffset + offset
    if (found?.attrs.style === 'literal' && !isBare(found, node)) tr.removeMark(from, from + node.nodeSize, found)
  })
  return tr.docChanged ? tr.setMeta(PROPOSED, {}) : undefined
}

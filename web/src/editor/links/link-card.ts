import type { Mark, ResolvedPos } from 'prosemirror-model'
import { type EditorState, Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { createStore } from '../../lib/store.ts'
import { schema } from '../schema.ts'

const { link } = schema.marks

export interface LinkPlace {
  from: number
  to: number
  mark: Mark
}

/** Where the link around a position begins and ends. Words in bold may divide it. */
export function linkAround($pos: ResolvedPos): LinkPlace | undefined {
  const { parent } = $pos
  if (!parent.inlineContent) return undefined
  const start = $pos.start()
  let found: LinkPlace | undefined
  let last: LinkPlace | undefined
  parent.forEach((node, offset) => {
    const mark = link.isInSet(node.marks)
    const from = start + offset
    const to = from + node.nodeSize
    if (!mark) last = undefined
    else if (last && isSame(last.mark, mark)) last.to = to
    else last = { from, to, mark }
    // A position between two links belongs to the first.
    if (last && !found && last.from <= $pos.pos && to >= $pos.pos) found = last
  })
  return found
}

/** `depth` tells only how the marks of a text are nested. */
const isSame = (one: Mark, other: Mark) =>
  one.attrs.href === other.attrs.href && one.attrs.title === other.attrs.title && one.attrs.label === other.attrs.label

export function setAddress(state: EditorState, { from, to, mark }: LinkPlace, href: string): Transaction {
  const { tr } = state
  tr.removeMark(from, to, link)
  return tr.addMark(from, to, link.create({ href, title: mark.attrs.title }))
}

export const removeLink = (state: EditorState, { from, to }: LinkPlace): Transaction =>
  state.tr.removeMark(from, to, link)

/** What people type as an address: a name of a site gets its scheme. */
export const withScheme = (address: string) =>
  /^[\w-]+(\.[\w-]+)+([/:?#]|$)/.test(address) ? `https://${address}` : address

export type LinkCardState = 'shown' | 'editing' | undefined

/** A card beside the link at the cursor. A click on the link opens it, and leaving the link closes it. */
export function linkCard() {
  const shown = createStore<LinkCardState>(undefined)
  const close = () => {
    if (shown.get()) shown.set(undefined)
  }
  const open = (view: EditorView, how: 'shown' | 'editing'): boolean => {
    if (!view.state.selection.empty || !linkAround(view.state.selection.$head)) return false
    shown.set(how)
    return true
  }
  /** The browser reports the new place of the cursor only after the click. */
  const openAt = (view: EditorView, pos: number): boolean => {
    if (!linkAround(view.state.doc.resolve(pos))) return false
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, pos)))
    return open(view, 'shown')
  }
  const plugin = new Plugin({
    props: {
      handleDOMEvents: {
        blur: (_view, event) => {
          if (!(event.relatedTarget as Element | null)?.closest?.('[data-link-card]')) close()
          return false
        },
      },
      handleKeyDown(_view, event) {
        if (event.key !== 'Escape' || !shown.get()) return false
        close()
        return true
      },
    },
    view: () => ({
      update(view, before) {
        if (!shown.get()) return
        const { selection } = view.state
        const here = selection.empty ? linkAround(selection.$head) : undefined
        const was = linkAround(before.selection.$head)
        if (!here || !was || !isSame(here.mark, was.mark)) close()
      },
      destroy: close,
    }),
  })
  return { plugin, shown, open, openAt }
}

import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { FindLinks, LinkTarget } from '../../lib/find-links.ts'
import { keyInList } from '../../lib/listbox.ts'
import { createStore } from '../../lib/store.ts'
import { TYPED } from '../editor-keys.ts'
import { schema } from '../schema.ts'

export interface LinkMenuState {
  from: number
  query: string
  items: LinkTarget[]
  active: number
  isBusy: boolean
  box: { left: number; top: number; bottom: number }
}

interface Open {
  from: number
  /** What opened it: `@` or `[[`. */
  length: number
}

const key = new PluginKey<Open | undefined>('links')
const AFTER_MS = 100
const QUERY = /^[^\s@[\]][^\n@[\]]{0,40}$/

/** Opens a list of everything in the project when someone types `@` or `[[`, and puts a link to what is chosen. */
export function linkMenu(find: FindLinks) {
  const shown = createStore<LinkMenuState | undefined>(undefined)
  let asked: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const close = () => {
    asked?.abort()
    clearTimeout(timer)
    if (shown.get()) shown.set(undefined)
  }

  function ask(view: EditorView, query: string, isFirst: boolean): void {
    asked?.abort()
    clearTimeout(timer)
    const request = new AbortController()
    asked = request
    timer = setTimeout(
      async () => {
        const items = await find(query, request.signal).catch(() => [])
        const menu = shown.get()
        if (request.signal.aborted || view.isDestroyed || !menu) return
        shown.set({ ...menu, items, active: 0, isBusy: false })
      },
      isFirst ? 0 : AFTER_MS,
    )
  }

  const queryOf = ({ state }: EditorView): string | undefined => {
    const open = key.getState(state)
    const { $head, empty } = state.selection
    const start = open ? open.from + open.length : 0
    if (!open || !empty || $head.pos < start || $head.start() > open.from) return undefined
    const text = state.doc.textBetween(start, $head.pos, '\n', '\ufffc')
    return text === '' || QUERY.test(text) ? text : undefined
  }

  function pick(view: EditorView, item: LinkTarget): void {
    const open = key.getState(view.state)
    close()
    if (!open) return
    // Two steps: as a suggestion, taking back what was typed and adding the link are two things.
    view.dispatch(view.state.tr.delete(open.from, view.state.selection.head).setMeta(key, 'close'))
    const { tr } = view.state
    const link = schema.text(item.text, [schema.marks.link.create({ href: item.href })])
    tr.replaceSelectionWith(link, false)
    view.dispatch(tr.scrollIntoView())
    view.dispatch(view.state.tr.insertText(' '))
    view.focus()
  }

  const plugin = new Plugin<Open | undefined>({
    key,
    state: {
      init: () => undefined,
      apply(tr, open) {
        const meta = tr.getMeta(key) as Open | 'close' | undefined
        if (meta) return meta === 'close' ? undefined : meta
        if (!open) return undefined
        const { deleted, pos } = tr.mapping.mapResult(open.from, 1)
        return deleted ? undefined : { ...open, from: pos }
      },
    },
    props: {
      handleTextInput(view, from, to, text) {
        const { $from } = view.state.selection
        if ((text !== TYPED.mention && text !== '[') || $from.parent.type.spec.code || !$from.parent.inlineContent)
          return false
        const offset = $from.parentOffset
        const before = $from.parent.textBetween(Math.max(0, offset - 2), offset, '\n', '\ufffc')
        const isOpened = text === TYPED.mention ? /(^|[\s(])$/.test(before) : before.endsWith('[')
        if (!isOpened) return false
        const open = text === TYPED.mention ? { from, length: 1 } : { from: from - 1, length: 2 }
        view.dispatch(view.state.tr.insertText(text, from, to).setMeta(key, open).scrollIntoView())
        return true
      },
      handleKeyDown(view, event) {
        const menu = shown.get()
        if (!menu) return false
        const meant = keyInList(event.key, menu.active, menu.items.length)
        if (meant === 'close') view.dispatch(view.state.tr.setMeta(key, 'close'))
        else if (meant === 'pick') pick(view, menu.items[menu.active]!)
        else if (meant !== undefined) shown.set({ ...menu, active: meant })
        return meant !== undefined
      },
      handleDOMEvents: {
        blur: () => {
          close()
          return false
        },
      },
    },
    view: () => ({
      update(view) {
        const query = queryOf(view)
        const open = key.getState(view.state)
        const before = shown.get()
        if (query === undefined || !open) return close()
        if (before?.query === query && before.from === open.from) return
        // Many words that match nothing are a sentence, not a name.
        if (
          before &&
          before.items.length === 0 &&
          !before.isBusy &&
          query.startsWith(before.query) &&
          / /.test(query)
        ) {
          view.dispatch(view.state.tr.setMeta(key, 'close'))
          return
        }
        const { left, top, bottom } = view.coordsAtPos(open.from)
        const items = before?.items ?? []
        shown.set({ from: open.from, query, items, active: 0, isBusy: true, box: { left, top, bottom } })
        ask(view, query, !before)
      },
      destroy: close,
    }),
  })
  /** Opens the list without anything typed. */
  const open = (view: EditorView) => {
    const { from } = view.state.selection
    view.dispatch(view.state.tr.insertText('@').setMeta(key, { from, length: 1 }))
    view.focus()
  }
  return { plugin, shown, pick, open }
}

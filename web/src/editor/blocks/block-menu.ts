import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { createStore } from '../../lib/store.ts'
import { bindKeys } from '../bind-keys.ts'
import { type Block, blockAround, blockAtPoint } from './block.ts'
import { atCursor, moveBlock } from './commands.ts'

export interface BlockMenuState {
  /** The element of the block, which stays the same wherever others move it. */
  dom: HTMLElement
  isOpen: boolean
}

/** The block that an element shows, wherever it is by now. */
export const blockOf = (view: EditorView, dom: HTMLElement): Block | undefined =>
  view.dom.contains(dom) ? blockAround(view.state.doc.resolve(view.posAtDOM(dom, 0))) : undefined

/** Which block has the handle: the one under the pointer, or with touch the one with the cursor. */
export function blockMenu() {
  const shown = createStore<BlockMenuState | undefined>(undefined)
  let frame = 0
  const isTouch = () => matchMedia('(pointer: coarse)').matches
  const set = (view: EditorView, block: Block | undefined, isOpen = false) => {
    const before = shown.get()
    const dom = block && view.nodeDOM(block.at)
    if (before?.isOpen || (before?.dom === dom && !isOpen)) return
    shown.set(dom instanceof HTMLElement ? { dom, isOpen } : undefined)
  }
  const plugin = new Plugin({
    props: {
      handleDOMEvents: {
        mousemove: (view, event) => {
          if (isTouch() || event.buttons > 0 || !view.editable) return false
          cancelAnimationFrame(frame)
          frame = requestAnimationFrame(() => {
            if (!view.isDestroyed) set(view, blockAtPoint(view, event.clientX, event.clientY))
          })
          return false
        },
        keydown: (view) => {
          if (!isTouch()) set(view, undefined)
          return false
        },
      },
    },
    view: () => ({
      update(view) {
        if (!isTouch() || !view.editable) return
        set(view, view.hasFocus() ? blockAround(view.state.selection.$head) : undefined)
      },
      destroy() {
        cancelAnimationFrame(frame)
        shown.set(undefined)
      },
    }),
  })
  const keys = bindKeys('blocks', {
    'Mod-/': (state, _dispatch, view) => {
      if (view) set(view, blockAround(state.selection.$head), true)
      return true
    },
    'Alt-Shift-ArrowUp': atCursor(moveBlock(-1)),
    'Alt-Shift-ArrowDown': atCursor(moveBlock(1)),
  })
  return { plugins: [plugin, keys], shown }
}

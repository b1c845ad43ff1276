/// <reference lib="dom" />
import { splitBlock } from 'prosemirror-commands'
import type { Node, Slice } from 'prosemirror-model'
import { splitListItem } from 'prosemirror-schema-list'
import { EditorState, type Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { initProseMirrorDoc, undo, ySyncPlugin, ySyncPluginKey, yUndoPlugin, yUndoPluginKey } from 'y-prosemirror'
import type * as Y from 'yjs'
import { fragmentOf } from '../../server/src/product/live-texts/conversion/read-fragment.ts'
import { exactTyping } from '../../web/src/editor/exact-typing.ts'
import { schema } from '../../web/src/editor/schema.ts'
import { NotSuggestible } from '../../web/src/editor/suggesting/block-proposal.ts'
import { trackChanges } from '../../web/src/editor/suggesting/track-changes.ts'

/** The editor of the web without a page: its schema, its tracked changes, its undo, and its binding to Yjs. */
export interface HeadlessEditor {
  doc(): Node
  isSuggesting: boolean
  /** Runs an edit. Returns false if it cannot be a suggestion. */
  edit(change: (state: EditorState) => Transaction | undefined): boolean
  /** Puts the cursor somewhere, or selects a range. */
  select(from: number, to?: number): boolean
  /** Types at the cursor. */
  type(text: string): boolean
  enter(): boolean
  paste(slice: Slice): boolean
  undo(): void
  /** Forgets what could be undone. */
  forget(): void
}

export function openHeadless(shared: Y.Doc): HeadlessEditor {
  const fragment = fragmentOf(shared)
  const { doc, mapping } = initProseMirrorDoc(fragment, schema)
  const plugins: Plugin[] = [exactTyping(), ySyncPlugin(fragment, { mapping }), yUndoPlugin()]
  const own = new Set<string>()
  const view = viewOf(EditorState.create({ doc, plugins }), (tr) => {
    const isTyped = tr.docChanged && tr.getMeta(ySyncPluginKey) === undefined
    return isTyped && editor.isSuggesting ? trackChanges(view.state, tr, own) : tr
  })
  const edit: HeadlessEditor['edit'] = (change) => {
    try {
      const tr = change(view.state)
      if (tr) view.dispatch(tr)
      return tr !== undefined
    } catch (err) {
      if (!(err instanceof NotSuggestible)) throw err
      return false
    }
  }
  const editor: HeadlessEditor = {
    doc: () => view.state.doc,
    isSuggesting: false,
    edit,
    select: (from, to = from) => edit(({ tr }) => tr.setSelection(TextSelection.create(tr.doc, from, to))),
    type: (text) => edit(({ tr }) => tr.insertText(text)),
    enter: () =>
      edit((state) => {
        let made: Transaction | undefined
        const take = (tr: Transaction) => {
          made = tr
        }
        if (!splitListItem(schema.nodes.list_item)(state, take)) splitBlock(state, take)
        return made
      }),
    paste: (slice) => edit(({ tr }) => tr.replaceSelection(slice)),
    undo: () => void undo(view.state),
    forget: () => yUndoPluginKey.getState(view.state)?.undoManager.clear(),
  }
  return editor
}

/** The part of a view that plugins and commands need. */
function viewOf(state: EditorState, prepare: (tr: Transaction) => Transaction): EditorView {
  const view = {
    state,
    composing: false,
    hasFocus: () => false,
    dispatch: (tr: Transaction) => view.updateState(view.state.apply(prepare(tr))),
    updateState(next: EditorState) {
      const before = view.state
      view.state = next
      for (const one of views) one?.update?.(view as unknown as EditorView, before)
    },
  }
  const views = state.plugins.map((plugin) => plugin.spec.view?.(view as unknown as EditorView))
  return view as unknown as EditorView
}

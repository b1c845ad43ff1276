/// <reference lib="dom" />
import { splitBlock } from 'prosemirror-commands'
import type { Node, Slice } from 'prosemirror-model'
import { splitListItem } from 'prosemirror-schema-list'
import { EditorState, type Plugin, TextSelection, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { initProseMirrorDoc, undo, ySyncPlugin, ySyncPluginKey, yUndoPlugin, yUndoPluginKey } from 'y-prosemirror'
import type { App } from '../../server/src/app.ts'
import { fragmentOf } from '../../server/src/documents/live/conversion/read-fragment.ts'
import { type Editor, openDocument } from '../../server/src/documents/live/live.factory.ts'
import type { Member } from '../../server/test/harness.ts'
import { schema } from '../../web/src/documents/editor/schema.ts'
import { NotSuggestible } from '../../web/src/documents/editor/suggesting/block-proposal.ts'
import { trackChanges } from '../../web/src/documents/editor/suggesting/track-changes.ts'

/** Someone at the editor of the web: its schema, its tracked changes, its undo, and its binding to the live document. */
export interface Person {
  name: string
  member: Member
  editor: Editor
  doc(): Node
  isSuggesting: boolean
  isOnline: boolean
  /** Runs an edit. Returns false if it cannot be a suggestion. */
  edit(change: (state: EditorState) => Transaction | undefined): boolean
  /** Types at the cursor. */
  type(text: string): boolean
  enter(): boolean
  paste(slice: Slice): boolean
  undo(): void
  /** Forgets what could be undone. */
  forget(): void
  setOnline(online: boolean): void
}

export async function joinDocument(app: App, member: Member, id: string): Promise<Person> {
  const editor = await openDocument(app, member, id)
  const fragment = fragmentOf(editor.shared)
  const { doc, mapping } = initProseMirrorDoc(fragment, schema)
  const plugins: Plugin[] = [ySyncPlugin(fragment, { mapping }), yUndoPlugin()]
  const own = new Set<string>()
  const view = headless(EditorState.create({ doc, plugins }), (tr) => {
    const isTyped = tr.docChanged && tr.getMeta(ySyncPluginKey) === undefined
    return isTyped && person.isSuggesting ? trackChanges(view.state, tr, own) : tr
  })
  const edit: Person['edit'] = (change) => {
    try {
      const tr = change(view.state)
      if (tr) view.dispatch(tr)
      return tr !== undefined
    } catch (err) {
      if (!(err instanceof NotSuggestible)) throw err
      return false
    }
  }
  const person: Person = {
    name: member.name,
    member,
    editor,
    doc: () => view.state.doc,
    isSuggesting: false,
    isOnline: true,
    edit,
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
    forget: () => yUndoPluginKey.getState(view.state).undoManager.clear(),
    setOnline(online) {
      person.isOnline = online
      if (online) editor.reconnect()
      else editor.disconnect()
    },
  }
  return person
}

/** The part of a view that plugins and commands need, without a page. */
function headless(state: EditorState, prepare: (tr: Transaction) => Transaction): EditorView {
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

/** Puts the cursor somewhere, or selects a range. */
export const select = (person: Person, from: number, to = from): boolean =>
  person.edit(({ tr }) => tr.setSelection(TextSelection.create(tr.doc, from, to)))

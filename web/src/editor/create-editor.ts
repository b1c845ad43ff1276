import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { type Command, EditorState, Plugin } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useSyncExternalStore } from 'react'
import { initProseMirrorDoc, redo, undo, yCursorPlugin, ySyncPlugin, ySyncPluginKey, yUndoPlugin } from 'y-prosemirror'
import type { FindLinks, LinkTarget } from '../lib/find-links.ts'
import { createStore, type Store } from '../lib/store.ts'
import { anchoring, changeAnchors } from './anchors.ts'
import { bindKeys } from './bind-keys.ts'
import { type BlockMenuState, blockMenu } from './blocks/block-menu.ts'
import { buildCursor, buildSelection } from './cursors.ts'
import { addParagraph, BEGIN, goToEnd, placeholder } from './empty-lines.ts'
import { exactTyping } from './exact-typing.ts'
import { type Find, findInDocument } from './find/find-in-document.ts'
import { framing } from './framed/framing.ts'
import { highlighting } from './highlight.ts'
import { markdownShortcuts } from './input-rules.ts'
import { editorKeymap } from './keymap.ts'
import { type LinkCardState, linkCard } from './links/link-card.ts'
import { type LinkMenuState, linkMenu } from './links/link-menu.ts'
import { typedAddresses } from './links/typed-addresses.ts'
import type { LiveDocument } from './live-document.ts'
import { nodeViews } from './node-views.ts'
import { addingFiles, pasting, type StoreFiles } from './paste.ts'
import { schema } from './schema.ts'
import { type SlashItem, type SlashState, slashMenu } from './slash.ts'
import { NotSuggestible, PROPOSED, proposeUnchanged } from './suggesting/block-proposal.ts'
import type { OwnSuggestions } from './suggesting/own-suggestions.ts'
import { openNext } from './suggesting/proposal-view.ts'
import { trackChanges } from './suggesting/track-changes.ts'
import { type Decision, followDecision } from './suggesting/undo-decision.ts'
import { tableCells } from './tables/cells.ts'

export interface Editor {
  view: EditorView
  /** Grows with everything that the menus around the text depend on. */
  revision: Store<number>
  slash: Store<SlashState | undefined>
  pickSlash(item: SlashItem): void
  /** Set while the address of a link is being edited. */
  linking: Store<boolean>
  /** What is shown beside the link at the cursor. */
  linkCard: Store<LinkCardState>
  /** The block that has the handle. */
  blockMenu: Store<BlockMenuState | undefined>
  find: Find
  links: Store<LinkMenuState | undefined>
  pickLink(item: LinkTarget): void
  /** True while a comment about a passage is being written. */
  commenting: Store<boolean>
  /** Begins a comment about what is selected. */
  comment(): void
  /** Puts the cursor behind the last letter. */
  goToEnd(): void
  /** Makes this what Undo does, until something is typed. */
  setUndo(run: (() => void) | undefined): void
  undo(): void
  /** Follows what the server does to the text because of a decision. */
  followDecision(countPending: () => number): Decision
  /** Stores files and shows them at the cursor, or at the end. */
  addFiles(files: File[], where: 'cursor' | 'end'): void
  destroy(): void
}

/**
 * Draws a menu again with every change while it is shown, and not at all while it is not: React reads the selection with
 * each drawing, which takes long in a long text.
 */
export const useShown = (editor: Editor, isShown: () => boolean): boolean =>
  useSyncExternalStore(editor.revision.subscribe, () => (isShown() ? editor.revision.get() : -1)) >= 0

/** From here on, the browser lays out only what is near the screen. */
const LARGE_BLOCKS = 300

/** The code of every key that goes to an input method. */
const COMPOSING = 229

interface Options {
  place: HTMLElement
  live: LiveDocument
  user: { id: string; name: string; color: string }
  mayWrite(): boolean
  /** True while what is typed becomes suggestions. */
  isSuggesting(): boolean
  mayComment(): boolean
  own: OwnSuggestions
  /** Called with the reason why an edit cannot be a suggestion. */
  onRefused(reason: string): void
  /** Called when an edit threw. The editor takes no more edits. */
  onBroken(err: Error): void
  storeFiles: StoreFiles
  pickPicture(view: EditorView): void
  findLinks: FindLinks
  onChangeClicked(changeId: string): void
  onThreadClicked(threadId: string): void
}

/** Opens the editor on a document that is loaded. Until someone types, it only reads. */
export function createEditor(options: Options): Editor {
  const { place, live, user, mayWrite, storeFiles, onChangeClicked } = options
  const { doc, mapping } = initProseMirrorDoc(live.fragment, schema)
  const revision = createStore(0)
  const linking = createStore(false)
  const commenting = createStore(false)
  const links = linkMenu(options.findLinks)
  const card = linkCard()
  const blocks = blockMenu()
  const slash = slashMenu({ picture: options.pickPicture, link: links.open })
  const find = findInDocument(() => view)
  const addFiles = addingFiles(storeFiles)
  let undoFirst: (() => void) | undefined
  const undoLast: Command = (state) => {
    const run = undoFirst
    if (!run) return undo(state)
    undoFirst = undefined
    run()
    return true
  }
  const openLink = () => {
    if (!card.open(view, 'editing')) linking.set(true)
    return true
  }
  const begin = () => {
    const { from, to, empty } = view.state.selection
    if (empty) return false
    changeAnchors(view, { draft: { from, to } })
    commenting.set(true)
    return true
  }
  let isBroken = false
  const guarded = (run: () => void) => {
    try {
      run()
    } catch (err) {
      if (err instanceof NotSuggestible) {
        options.onRefused(err.message)
        return
      }
      // What is on the page may differ from the document now, so nothing more is read from it.
      isBroken = true
      options.onBroken(err as Error)
    }
  }
  /**
   * The browser reports a moved cursor later, and a busy one after the next key. That key has to act where the cursor is
   * seen, and what others write must not put it back.
   */
  const readCursor = () => {
    if (!view.composing && view.hasFocus()) document.dispatchEvent(new Event('selectionchange'))
  }
  const awareness = live.provider.awareness!
  awareness.setLocalStateField('user', user)
  const view = new EditorView(place, {
    state: EditorState.create({
      doc,
      plugins: [
        exactTyping(),
        ySyncPlugin(live.fragment, { mapping }),
        yCursorPlugin(awareness, { cursorBuilder: buildCursor, selectionBuilder: buildSelection }),
        yUndoPlugin(),
        slash.plugin,
        links.plugin,
        card.plugin,
        ...blocks.plugins,
        markdownShortcuts(),
        typedAddresses(),
        ...editorKeymap({ openLink, undo: undoLast, redo }),
        pasting(addFiles),
        tableCells(),
        highlighting(),
        framing(),
        anchoring(),
        find.plugin,
        bindKeys('page', {
          'Mod-Alt-m': () => options.mayComment() && begin(),
          'Mod-f': () => {
            find.open()
            return true
          },
        }),
        dropCursor({ class: 'drop-cursor', color: false }),
        gapCursor(),
        placeholder(),
        new Plugin({ view: () => ({ update: () => revision.set((before) => before + 1) }) }),
      ],
    }),
    nodeViews,
    editable: mayWrite,
    // Cursors of others are drawn a moment after they moved, when the view may be gone.
    dispatchTransaction(this: EditorView, tr) {
      if (this.isDestroyed || isBroken) return
      const isTyped = tr.docChanged && tr.getMeta(ySyncPluginKey) === undefined
      if (isTyped) undoFirst = undefined
      guarded(() => {
        const tracked = isTyped && options.isSuggesting() ? trackChanges(this.state, tr, options.own) : tr
        const proposed = tracked.getMeta(PROPOSED) as { head?: number } | undefined
        openNext(proposed?.head === undefined ? undefined : { head: proposed.head })
        this.updateState(this.state.apply(tracked))
        openNext(undefined)
      })
    },
    attributes: ({ doc }) => ({
      class: doc.childCount > LARGE_BLOCKS ? 'document large' : doc.childCount === 0 ? 'document hint' : 'document',
      'data-hint': BEGIN,
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': 'Text',
      spellcheck: 'true',
    }),
    handleClick(view, pos, event) {
      const near = (event.target as HTMLElement).closest?.('[data-change]')
      const passage = (event.target as HTMLElement).closest?.('[data-thread]')
      if (near instanceof HTMLElement) onChangeClicked(near.dataset.change!)
      else if (passage instanceof HTMLElement) options.onThreadClicked(passage.dataset.thread!)
      const anchor = (event.target as HTMLElement).closest?.('a:not(.outside-image)')
      if (!(anchor instanceof HTMLAnchorElement)) return false
      const opens = event.metaKey || event.ctrlKey || !view.editable
      if (opens && anchor.href) window.open(anchor.href, '_blank', 'noreferrer')
      return opens || (!event.shiftKey && card.openAt(view, pos))
    },
    handleDOMEvents: {
      // Where nobody may type, the browser would follow the link as well.
      click: (_view, event) => {
        if ((event.target as Element).closest?.('a:not(.outside-image)')) event.preventDefault()
        return false
      },
      keydown: (view, event) => {
        if (view.composing) return false
        readCursor()
        const isInCode = view.state.selection.$head.parent.type.spec.code
        if (event.keyCode === COMPOSING && isInCode && mayWrite() && options.isSuggesting())
          guarded(() => view.dispatch(proposeUnchanged(view.state, options.own.has)))
        return false
      },
      focus: (view) => {
        if (view.editable && view.state.doc.childCount === 0) addParagraph(view)
        return false
      },
      mousedown: (view, event) => {
        const bottom = view.dom.lastElementChild?.getBoundingClientRect().bottom ?? 0
        if (!view.editable || event.target !== view.dom || event.clientY <= bottom) return false
        event.preventDefault()
        goToEnd(view)
        return true
      },
    },
  })
  live.provider.on('message', readCursor)
  return {
    view,
    revision,
    slash: slash.shown,
    pickSlash: (item) => slash.pick(view, item),
    linking,
    linkCard: card.shown,
    blockMenu: blocks.shown,
    find,
    links: links.shown,
    pickLink: (item) => links.pick(view, item),
    commenting,
    comment: () => void begin(),
    goToEnd: () => {
      if (view.editable) goToEnd(view)
    },
    setUndo: (run) => {
      undoFirst = run
    },
    undo: () => void undoLast(view.state),
    followDecision: (countPending) => followDecision(live, countPending),
    addFiles: (files, where) => addFiles(view, files, where === 'end' ? view.state.doc.content.size : undefined),
    destroy() {
      live.provider.off('message', readCursor)
      view.destroy()
      awareness.setLocalStateField('cursor', null)
    },
  }
}

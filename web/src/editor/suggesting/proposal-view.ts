import { readProposal } from '@slipway/server/markdown'
import { DOMSerializer, Fragment, type Node } from 'prosemirror-model'
import { EditorState, Selection } from 'prosemirror-state'
import { EditorView, type NodeView } from 'prosemirror-view'
import { redo, undo } from 'y-prosemirror'
import { compareLists } from '../../lib/differences.ts'
import { bindKeys } from '../bind-keys.ts'
import { compareVersions } from '../comparing/compare.ts'
import { markdownShortcuts } from '../input-rules.ts'
import { editorKeymap } from '../keymap.ts'
import { schema } from '../schema.ts'
import { tableCells } from '../tables/cells.ts'
import { blocksOf, isMine, NotSuggestible, noteMine, PROPOSED, proposalOf, writeAll } from './block-proposal.ts'

const serializer = DOMSerializer.fromSchema(schema)

const made = (tag: string, className: string, text = '') => {
  const element = document.createElement(tag)
  element.className = className
  if (text) element.textContent = text
  return element
}

/** Where the cursor goes in the proposal that is drawn next, counted from its first block. */
let next: { head: number } | undefined
export const openNext = (at: { head: number } | undefined) => {
  next = at
}

/**
 * Blocks that are proposed instead of others: both as they look. Whoever proposes them goes on writing in the new ones,
 * which have an editor of their own. What is typed there is written into the proposal.
 */
export function proposalView(first: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  let { source } = first.attrs as { source: string }
  let inner: EditorView | undefined
  const dom = made('figure', 'proposal')
  dom.contentEditable = 'false'
  const body = made('div', 'proposal-body')
  const edit = made('button', 'proposal-edit', 'Edit') as HTMLButtonElement
  edit.type = 'button'
  edit.addEventListener('click', () => open())
  dom.append(body, edit)

  const write = (doc: Node) => {
    const at = getPos()
    const proposal = readProposal(source)
    if (at === undefined || !proposal) return
    try {
      source = noteMine(proposalOf(proposal.old, writeAll(doc.children)))
      view.dispatch(view.state.tr.setNodeAttribute(at, 'source', source).setMeta(PROPOSED, {}))
    } catch (err) {
      if (!(err instanceof NotSuggestible)) throw err
    }
  }

  /** Nothing is proposed any more if the text is as it was. */
  const settle = () => {
    const at = getPos()
    const proposal = readProposal(source)
    if (at === undefined || !inner || !proposal) return
    const fresh = writeAll(inner.state.doc.children)
    if (fresh !== proposal.old) return
    view.dispatch(view.state.tr.replaceWith(at, at + 1, blocksOf(proposal.old)).setMeta(PROPOSED, {}))
  }

  let isUndoing = false
  const stepping = (run: typeof undo) => {
    isUndoing = true
    try {
      return run(view.state)
    } finally {
      isUndoing = false
    }
  }

  const close = () => {
    inner?.destroy()
    inner = undefined
    show()
  }

  const leave = () => {
    close()
    const at = getPos()
    if (at === undefined) return
    view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at + 1))))
    view.focus()
  }

  function open(head = Number.POSITIVE_INFINITY): void {
    const proposal = readProposal(source)
    if (!proposal || inner || !view.editable) return
    body.replaceChildren()
    if (proposal.old) body.append(rendered('proposal-old', blocksOf(proposal.old).content))
    const place = made('div', 'proposal-new')
    body.append(place)
    dom.dataset.open = ''
    const doc = schema.nodes.doc.create(null, blocksOf(proposal.fresh))
    const at = Selection.near(
      doc.resolve(Math.max(0, Math.min(head, doc.content.size))),
      head === Number.POSITIVE_INFINITY ? -1 : 1,
    )
    inner = new EditorView(
      { mount: place },
      {
        state: EditorState.create({
          doc: doc.childCount > 0 ? doc : schema.nodes.doc.create(null, schema.nodes.paragraph.create()),
          ...(doc.childCount > 0 && { selection: at }),
          plugins: [
            bindKeys('proposal', {
              Escape: () => {
                leave()
                return true
              },
            }),
            markdownShortcuts(),
            ...editorKeymap({
              openLink: () => false,
              undo: () => stepping(undo),
              redo: () => stepping(redo),
            }),
            tableCells(),
          ],
        }),
        attributes: {
          class: 'document still',
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': 'What you propose',
        },
        nodeViews: view.props.nodeViews ?? {},
        dispatchTransaction(this: EditorView, tr) {
          this.updateState(this.state.apply(tr))
          if (tr.docChanged) write(tr.doc)
        },
        handleDOMEvents: {
          blur: (_view, event) => {
            if (dom.contains(event.relatedTarget as HTMLElement | null)) return false
            settle()
            if (inner) close()
            return false
          },
        },
      },
    )
  }

  const show = () => {
    const proposal = readProposal(source)
    delete dom.dataset.open
    edit.hidden = !isMine(source) || !view.editable
    body.replaceChildren(...(proposal ? differences(proposal.old, proposal.fresh) : []))
  }

  show()
  if (next) {
    const { head } = next
    next = undefined
    // The block is not on the page yet.
    queueMicrotask(() => {
      open(head)
      inner?.focus()
    })
  }
  edit.addEventListener('click', () => inner?.focus())
  return {
    dom,
    update(node) {
      if (node.type !== schema.nodes.opaque_block || !readProposal(node.attrs.source)) return false
      if (node.attrs.source === source) return true
      const [was, is] = [readProposal(source), readProposal(node.attrs.source)!]
      const isOurs = isMine(source)
      source = node.attrs.source
      // The server knows how the old blocks were written, and puts that in.
      if (isOurs && !isUndoing && was?.old !== is.old) {
        noteMine(source)
        if (inner?.hasFocus()) {
          // What was typed meanwhile is newer.
          if (was?.fresh !== is.fresh) write(inner.state.doc)
          return true
        }
      }
      const head = inner?.hasFocus() ? inner.state.selection.head : undefined
      inner?.destroy()
      inner = undefined
      show()
      if (head !== undefined && isMine(source)) {
        open(head)
        ;(inner as EditorView | undefined)?.focus()
      }
      return true
    },
    stopEvent: (event) => dom.contains(event.target as HTMLElement) && (inner !== undefined || event.target === edit),
    ignoreMutation: () => true,
    destroy: () => inner?.destroy(),
  }
}

function rendered(className: string, nodes: readonly Node[]): HTMLElement {
  const place = made('div', `document still ${className}`)
  place.append(...nodes.map((node) => serializer.serializeNode(node)))
  return place
}

/** Both versions as one where they differ in words, and one after the other where they differ in form. */
function differences(old: string, fresh: string): HTMLElement[] {
  return compareVersions(old, fresh).flatMap((change): HTMLElement[] => {
    if (change.type === 'same')
      return [
        rendered(
          '',
          change.blocks.map(({ node }) => node),
        ),
      ]
    if (change.code) {
      const pre = made('pre', 'proposal-code')
      for (const { sign, text } of change.code)
        pre.append(made('div', sign === '+' ? 'proposal-new' : sign === '-' ? 'proposal-old' : '', `${sign} ${text}`))
      return [pre]
    }
    if (change.inline) return [rendered('', [change.inline.node])]
    if (change.old && change.fresh && isOfParts(change.old) && change.old.type === change.fresh.type)
      return [parts(change.old, change.fresh)]
    return [
      ...(change.old ? [rendered('proposal-old', [change.old])] : []),
      ...(change.fresh ? [rendered('proposal-new', [change.fresh])] : []),
    ]
  })
}

const isOfParts = ({ type: { name } }: Node) => /^(bullet_list|ordered_list|table)$/.test(name)

/** A list or a table of which some items or rows come and go. */
function parts(old: Node, fresh: Node): HTMLElement {
  const place = rendered('', [fresh.copy(Fragment.empty)])
  const inside = place.querySelector('tbody') ?? place.firstElementChild!
  const keyOf = (part: Node) => JSON.stringify(part.toJSON())
  const before = new Map(old.children.map((part) => [keyOf(part), part]))
  const after = new Map(fresh.children.map((part) => [keyOf(part), part]))
  for (const { value, added, removed } of compareLists(old.children.map(keyOf), fresh.children.map(keyOf)))
    for (const key of value) {
      const drawn = serializer.serializeNode((before.get(key) ?? after.get(key))!) as HTMLElement
      if (added || removed) drawn.classList.add(added ? 'proposal-new' : 'proposal-old')
      inside.append(drawn)
    }
  return place
}

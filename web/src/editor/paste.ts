import { Fragment, type Node, Slice } from 'prosemirror-model'
import { Plugin, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { altOf, filesOf, markdownOf, type StoredFile } from '../lib/uploads/files.ts'
import { followPlace } from './anchors.ts'
import { cleanHtml } from './clean-html.ts'
import { sliceOf, writeMarkdown } from './markdown.ts'
import { schema } from './schema.ts'
import { regular } from './tables/grid.ts'

const TRACKED = new Set([
  schema.marks.insertion,
  schema.marks.deletion,
  schema.marks.modification,
  schema.marks.blockBoundarySuggestion,
])

/** A copy of suggested text is text: the suggestion stays where it was made. */
export function withoutTracking(content: Fragment): Fragment {
  const nodes: Node[] = []
  content.forEach((node) => {
    const marks = node.marks.filter(({ type }) => !TRACKED.has(type))
    nodes.push(node.isText ? node.mark(marks) : node.copy(withoutTracking(node.content)).mark(marks))
  })
  return Fragment.from(nodes)
}

/** Stores files, and puts each into the text once it is stored. */
export type StoreFiles = (files: File[], put: (stored: StoredFile) => void) => void

export type AddFiles = (view: EditorView, files: File[], at?: number) => void

/** Stores files one by one and puts each where it was dropped, wherever that place is by then. */
export const addingFiles =
  (store: StoreFiles): AddFiles =>
  (view, files, at) => {
    const place = followPlace(view.state, at ?? view.state.selection.to)
    store(files, (stored) => {
      if (view.isDestroyed) return
      const pos = place(view.state) ?? view.state.selection.to
      view.dispatch(insertFile(view.state.tr, stored, pos).scrollIntoView())
    })
  }

function insertFile(tr: Transaction, stored: StoredFile, pos: number): Transaction {
  const { parent } = tr.doc.resolve(pos)
  if (parent.type.spec.code) return tr.insertText(markdownOf(stored), pos)
  const node = stored.isPicture
    ? schema.nodes.image.create({ src: stored.src, alt: altOf(stored) })
    : schema.text(stored.name, [schema.marks.link.create({ href: stored.src })])
  return tr.insert(pos, parent.inlineContent ? node : schema.nodes.paragraph.create(null, node))
}

/** Tables as markdown can hold them. */
function regularTables(content: Fragment): Fragment {
  const nodes = content.content.map((node) => {
    if (node.isText || node.isLeaf) return node
    return node.type === schema.nodes.table ? regular(node) : node.copy(regularTables(node.content))
  })
  return Fragment.from(nodes)
}

export const pasting = (add: AddFiles): Plugin =>
  new Plugin({
    props: {
      transformPastedHTML: cleanHtml,
      transformPasted: ({ content, openStart, openEnd }) => {
        const plain = withoutTracking(content)
        return new Slice(openStart + openEnd < 3 ? regularTables(plain) : plain, openStart, openEnd)
      },
      clipboardTextParser: (text, $context, isPlain) =>
        isPlain || $context.parent.type.spec.code ? (undefined as unknown as Slice) : sliceOf(text),
      clipboardTextSerializer: (slice) => writeMarkdown(slice.content),
      handlePaste(view, event) {
        const files = filesOf(event.clipboardData)
        if (files.length === 0) return false
        add(view, files)
        return true
      },
      handleDrop(view, event, _slice, isMoved) {
        const files = isMoved ? [] : filesOf(event.dataTransfer)
        if (files.length === 0) return false
        event.preventDefault()
        add(view, files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos)
        return true
      },
    },
  })

import { Fragment, type Node, Slice } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { cleanHtml } from './clean-html.ts'
import { sliceOf, writeMarkdown } from './markdown.ts'
import { schema } from './schema.ts'

const TRACKED = new Set([
  schema.marks.insertion,
  schema.marks.deletion,
  schema.marks.modification,
  schema.marks.blockBoundarySuggestion,
])

/** A copy of suggested text is text: the suggestion stays where it was made. */
function withoutTracking(content: Fragment): Fragment {
  const nodes: Node[] = []
  content.forEach((node) => {
    const marks = node.marks.filter(({ type }) => !TRACKED.has(type))
    nodes.push(node.isText ? node.mark(marks) : node.copy(withoutTracking(node.content)).mark(marks))
  })
  return Fragment.from(nodes)
}

interface Options {
  /** Stores the picture and returns its address. */
  upload(file: File): Promise<{ src: string; alt: string } | undefined>
}

export function pasting({ upload }: Options): Plugin {
  const insertFiles = (view: EditorView, files: File[], at: number | undefined) => {
    for (const file of files)
      void upload(file).then((stored) => {
        if (!stored || view.isDestroyed) return
        const image = schema.nodes.image.create(stored)
        const { tr } = view.state
        const pos = Math.min(at ?? tr.selection.to, tr.doc.content.size)
        const isInText = tr.doc.resolve(pos).parent.inlineContent
        view.dispatch(tr.insert(pos, isInText ? image : schema.nodes.paragraph.create(null, image)).scrollIntoView())
      })
  }
  return new Plugin({
    props: {
      transformPastedHTML: cleanHtml,
      transformPasted: (slice) => new Slice(withoutTracking(slice.content), slice.openStart, slice.openEnd),
      clipboardTextParser: (text, $context, isPlain) =>
        isPlain || $context.parent.type.spec.code ? (undefined as unknown as Slice) : sliceOf(text),
      clipboardTextSerializer: (slice) => writeMarkdown(slice.content),
      handlePaste(view, event) {
        const files = imagesOf(event.clipboardData)
        // Office programs add a picture of the text that they copy.
        if (files.length === 0 || event.clipboardData?.getData('text/html').includes('<p')) return false
        insertFiles(view, files, undefined)
        return true
      },
      handleDrop(view, event, _slice, isMoved) {
        const files = isMoved ? [] : imagesOf(event.dataTransfer)
        if (files.length === 0) return false
        event.preventDefault()
        insertFiles(view, files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos)
        return true
      },
    },
  })
}

const imagesOf = (transfer: DataTransfer | null) =>
  [...(transfer?.files ?? [])].filter(({ type }) => type.startsWith('image/'))

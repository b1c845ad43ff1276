import type { Node } from 'prosemirror-model'
import { Plugin, Selection, TextSelection } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { schema } from './schema.ts'

/** Says how to begin. */
export const BEGIN = 'Write, or type / for blocks'

/** Somewhere to type. Markdown has no empty paragraphs, so this alone changes nothing. */
export function addParagraph(view: EditorView): void {
  const { tr } = view.state
  const end = tr.doc.content.size
  tr.insert(end, schema.nodes.paragraph.create())
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(end + 1))).setMeta('addToHistory', false))
}

/** Goes behind the last letter, or to a new line where the last block holds no text. */
export function goToEnd(view: EditorView): void {
  const { doc, tr } = view.state
  if (doc.lastChild?.type === schema.nodes.paragraph) view.dispatch(tr.setSelection(Selection.atEnd(doc)))
  else addParagraph(view)
  view.focus()
}

/** Says how to begin, in an empty document and in an empty line. */
export function placeholder(): Plugin {
  const hint = (node: Node, pos: number, text: string) =>
    Decoration.node(pos, pos + node.nodeSize, { class: 'hint', 'data-hint': text })
  return new Plugin({
    props: {
      decorations({ doc, selection }) {
        const { $head } = selection
        const only = doc.childCount === 1 ? doc.firstChild! : undefined
        if (only?.type === schema.nodes.paragraph && only.content.size === 0)
          return DecorationSet.create(doc, [hint(only, 0, BEGIN)])
        const line = $head.parent
        if (!selection.empty || $head.depth !== 1 || line.type !== schema.nodes.paragraph || line.content.size > 0)
          return null
        return DecorationSet.create(doc, [hint(line, $head.before(), 'Type / for blocks')])
      },
    },
  })
}

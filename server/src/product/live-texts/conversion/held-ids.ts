import type { Node } from 'prosemirror-model'
import { findChanges } from '../../../engines/markdown/index.ts'
import { mayHaveChanges } from '../../../engines/markdown/suggestions/critic-markup.ts'
import { trackedMarks } from '../../../engines/markdown/write/write-inline.ts'

export type HeldIds = (string | undefined)[] | undefined

/**
 * Returns the id that editors show for each pending change of the markdown. A change keeps its id while its author types
 * on, although its text differs from one save to the next. A change in a block that keeps its markdown has no mark.
 */
export function heldIds(doc: Node, markdown: string): HeldIds {
  if (!mayHaveChanges(markdown)) return undefined
  const held: { kind: string | undefined; id: string | undefined }[] = []
  doc.descendants((node) => {
    if (node.isBlock && node.isAtom)
      for (const { kind } of findChanges(String(node.attrs.source ?? node.attrs.html ?? '')))
        held.push({ kind, id: undefined })
    if (!node.inlineContent) return true
    for (const { type, attrs } of trackedMarks(node.content)) held.push({ kind: type.name, id: attrs.id as string })
    return false
  })
  const found = findChanges(markdown)
  const isSame = found.length === held.length && found.every(({ kind }, at) => kind === held[at]!.kind)
  return isSame ? held.map(({ id }) => id) : undefined
}

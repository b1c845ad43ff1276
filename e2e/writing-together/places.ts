import type { Node } from 'prosemirror-model'
import { isAnchor, WORD } from './ledger.ts'

/** A word in an editor, and where it is. */
export interface Place {
  word: string
  from: number
  to: number
  /** The first word of its block. */
  anchor: string
  block: Node
  /** Where the content of the block begins. */
  start: number
  parent: Node
  isMarked: boolean
}

export function placesOf(doc: Node): Place[] {
  const places: Place[] = []
  doc.descendants((block, pos, parent) => {
    if (!block.isTextblock) return true
    const text = block.textBetween(0, block.content.size, '\n', '\n')
    const found = [...text.matchAll(WORD)]
    const anchor = found.map(([word]) => word).find(isAnchor)
    for (const { 0: word, index } of found) {
      if (!anchor) continue
      const from = pos + 1 + index
      const isMarked = doc
        .resolve(from + 1)
        .marks()
        .some(({ type }) => type.name === 'insertion' || type.name === 'deletion')
      places.push({
        word,
        from,
        to: from + word.length,
        anchor,
        block,
        start: pos + 1,
        parent: parent!,
        isMarked,
      })
    }
    return false
  })
  return places
}

/** Everything that an editor shows, with suggestions, as one text. */
export function shownText(doc: Node): string {
  const parts: string[] = []
  doc.descendants((node) => {
    if (node.isTextblock) parts.push(node.textBetween(0, node.content.size, '\n', '\n'))
    else if (node.isAtom) parts.push(String(node.attrs.source ?? node.attrs.html ?? ''))
    return !node.isTextblock
  })
  return parts.join('\n')
}

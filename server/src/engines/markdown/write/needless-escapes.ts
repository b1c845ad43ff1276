import { parseMarkdown } from '../rich/parse.ts'
import { findChanges } from '../suggestions/changes.ts'
import { withFewestEscapes } from './fewest-escapes.ts'

/**
 * Drops the backslashes of a document without which it reads exactly the same. Blocks with pending changes stay as they
 * are: the text of a change is stored beside the document too.
 */
export function withoutNeedlessEscapes(source: string): string {
  if (!source.includes('\\')) return source
  const { doc, blocks, tree } = parseMarkdown(source)
  const changes = findChanges(source)
  const parts: string[] = []
  let pos = 0
  let next = 0
  for (const [at, { from, to }] of blocks.entries()) {
    const node = doc.child(at)
    const readsSame = (text: string) => {
      const read = parseMarkdown(text, { within: tree }).doc
      return read.childCount === 1 && read.child(0).eq(node)
    }
    const text = source.slice(from, to)
    while (next < changes.length && changes[next]!.to <= from) next++
    const isPending = next < changes.length && changes[next]!.from < to
    parts.push(source.slice(pos, from), isPending || !readsSame(text) ? text : withFewestEscapes(text, readsSame))
    pos = to
  }
  const shorter = parts.join('') + source.slice(pos)
  return parseMarkdown(shorter).doc.eq(doc) ? shorter : source
}

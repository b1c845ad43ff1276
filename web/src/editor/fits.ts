import * as Y from 'yjs'
import type { LiveDocument } from './live-document.ts'

/** Browsers lay out a whole paragraph with every key. One of 2,000,000 characters takes a minute each time. */
const MOST_CHARACTERS_IN_A_BLOCK = 100_000

/** False if typing into the text would freeze the page. */
export function fitsEditor({ shared }: Pick<LiveDocument, 'shared'>): boolean {
  const lengths = new Map<unknown, number>()
  for (const structs of shared.store.clients.values())
    for (const struct of structs) {
      if (!(struct instanceof Y.Item) || struct.deleted || !(struct.content instanceof Y.ContentString)) continue
      const length = (lengths.get(struct.parent) ?? 0) + struct.length
      if (length > MOST_CHARACTERS_IN_A_BLOCK) return false
      lengths.set(struct.parent, length)
    }
  return true
}

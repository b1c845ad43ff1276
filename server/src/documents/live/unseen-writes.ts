import * as Y from 'yjs'
import { keepTyped } from './conversion/keep-typed.ts'

/** A client that does not confirm writes shows them by then. */
const MAX_WAIT_MS = 10_000

/** A write from elsewhere, and the editors that have not confirmed it. */
interface Write {
  number: number
  writtenAtMs: number
  before: Uint8Array
  /** What these editors have: the document without the write, and what they typed in it. */
  typed: Y.Doc | undefined
  waiting: Set<unknown>
}

interface Showing {
  editors: unknown[]
  /** True if something was typed that the write does not contain. */
  hasUnsaved: boolean
  origin: unknown
}

export interface UnseenWrites {
  /** Applies a write to the shared document. Returns its number, which editors send back when they show it. */
  show(after: Uint8Array, { editors, hasUnsaved, origin }: Showing): number
  /** Called for what an editor typed. If it did not show the latest writes, its letters keep their marks. */
  type(editor: unknown, update: Uint8Array): void
  seen(editor: unknown, number: number): void
}

/**
 * An accepted suggestion is plain text for the server while its author still types in it. Until an editor confirms that
 * it shows a write, what comes from it was typed without, and keeps the marks that it has there.
 */
export function createUnseenWrites(shared: Y.Doc): UnseenWrites {
  let writes: Write[] = []
  let last = 0
  let isKeeping = false
  const drop = (isGone: (editor: unknown, number: number) => boolean) => {
    for (const { number, waiting } of writes)
      for (const editor of waiting) if (isGone(editor, number)) waiting.delete(editor)
    const since = Date.now() - MAX_WAIT_MS
    writes = writes.filter(({ waiting, writtenAtMs }) => waiting.size > 0 && writtenAtMs > since)
  }
  return {
    show(after, { editors, hasUnsaved, origin }) {
      const before = Y.encodeStateAsUpdate(shared)
      Y.applyUpdate(shared, after, origin)
      last++
      drop((editor) => !editors.includes(editor))
      const write = { number: last, writtenAtMs: Date.now(), before, typed: undefined }
      if (editors.length > 0) writes.push({ ...write, waiting: new Set(editors) })
      if (hasUnsaved) keepTyped(shared, docOf(before), Y.encodeStateVector(docOf(after)))
      return last
    },
    type(editor, update) {
      if (isKeeping || writes.length === 0) return
      drop(() => false)
      const unseen = writes.filter(({ waiting }) => waiting.has(editor))
      const [first] = unseen
      if (!first) return
      for (const write of unseen) write.typed ??= docOf(write.before)
      // Only these letters: others may have deleted earlier ones since, and this editor does not know.
      const known = Y.encodeStateVector(first.typed!)
      for (const { typed } of unseen) Y.applyUpdate(typed!, update)
      isKeeping = true
      shared.transact(() => keepTyped(shared, first.typed!, known), editor)
      isKeeping = false
    },
    seen: (editor, number) => drop((one, of) => one === editor && of <= number),
  }
}

export function docOf(...updates: Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

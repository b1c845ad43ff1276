import * as Y from 'yjs'

const TRACKED = /^(insertion|deletion)$/

/** Returns the ids of the tracked changes that an update puts on text. */
export function suggestedIn(update: Uint8Array): string[] {
  const ids: string[] = []
  for (const struct of Y.decodeUpdate(update).structs) {
    const content = struct instanceof Y.Item ? struct.content : undefined
    if (!(content instanceof Y.ContentFormat) || !TRACKED.test(content.key)) continue
    const { id } = (content.value ?? {}) as unknown as { id?: unknown }
    if (typeof id === 'string' && id !== '') ids.push(id)
  }
  return ids
}

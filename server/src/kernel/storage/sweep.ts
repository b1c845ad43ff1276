import { isOwnKey } from './keys.ts'
import type { Store } from './store.ts'

/** Long enough that no request which stored bytes can still be about to write its row. */
export const UNCLAIMED_AFTER_MS = 24 * 60 * 60 * 1000
const BATCH_SIZE = 500

/**
 * Removes old bytes that no row references: a crash may leave them between storing the bytes and writing the row, or
 * between deleting the row and removing the bytes. `inUse` returns the keys that have a row. Never removes keys of
 * another installation.
 */
export async function removeUnclaimed(
  store: Store,
  place: string,
  inUse: (keys: string[]) => Promise<Iterable<string>>,
  before = new Date(Date.now() - UNCLAIMED_AFTER_MS),
): Promise<number> {
  let removed = 0
  let old: string[] = []
  const decide = async () => {
    const used = new Set(await inUse(old))
    const unclaimed = old.filter((key) => !used.has(key))
    if (unclaimed.length > 0) await store.remove(unclaimed)
    removed += unclaimed.length
    old = []
  }
  for await (const { key, modifiedAt } of store.list(`${store.installationId}/${place}/`)) {
    if (modifiedAt >= before || !isOwnKey(store.installationId, key)) continue
    old.push(key)
    if (old.length === BATCH_SIZE) await decide()
  }
  if (old.length > 0) await decide()
  return removed
}

/** Removes all bytes that belong to a project in one place. Its rows are gone. */
export async function removeBytesOf(store: Store, place: string, projectId: string): Promise<void> {
  const found: string[] = []
  for await (const { key } of store.list(`${store.installationId}/${place}/${projectId}/`)) {
    found.push(key)
    if (found.length === BATCH_SIZE) await store.remove(found.splice(0))
  }
  if (found.length > 0) await store.remove(found)
}

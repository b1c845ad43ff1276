import { showToast } from '../lib/toasts.ts'
import type { HistoryEntry } from './entry.ts'

interface Restoring {
  send(versionId: string): Promise<unknown>
  /** Reads the list again. */
  reload(): Promise<unknown>
}

/** Writes an old version as a new one. Undo writes what was current before, also as a new one. */
export async function restoreVersion(
  of: Restoring,
  version: HistoryEntry,
  current: HistoryEntry | undefined,
  isUndo = false,
): Promise<boolean> {
  const { version_id, version_number } = version
  try {
    await of.send(version_id)
    await of.reload()
    const run = () => void (current && restoreVersion(of, current, undefined, true))
    showToast(
      isUndo
        ? { text: `Back to version ${version_number}, as a new version` }
        : { text: `Version ${version_number} restored as a new version`, undo: run },
    )
    return true
  } catch (err) {
    const run = () => void restoreVersion(of, version, current, isUndo)
    showToast({
      text: `Version ${version_number} could not be restored`,
      detail: (err as Error).message,
      tone: 'error',
      action: { label: 'Retry', run },
    })
    return false
  }
}

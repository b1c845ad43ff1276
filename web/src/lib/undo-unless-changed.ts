import * as api from '@slipway/sdk/resources'
import type { Change } from './changes.ts'
import { callOf } from './client.ts'
import { showToast } from './toasts.ts'

interface Undo {
  projectId: string
  /** What would be overwritten: "the title of “Refunds”". */
  what: string
  /** Reads it from the server. True if it still is as this person left it. */
  isAsLeft(): Promise<boolean>
  /** The last of these changes says who it was. */
  isSuch(change: Pick<Change, 'kind' | 'subject_id' | 'payload'>): boolean
  run(): void
}

const LAST_CHANGES = 50

/**
 * Takes a change back, unless somebody else has changed the same since. It is for writes that have no condition in the
 * API, so the server is asked right before.
 */
export async function undoUnlessChanged({ projectId, what, isAsLeft, isSuch, run }: Undo): Promise<void> {
  try {
    if (await isAsLeft()) {
      run()
      return
    }
    const { items } = await api.changes(callOf(projectId)).list({ limit: LAST_CHANGES })
    const who = items.find(isSuch)?.actor.name ?? 'Somebody'
    showToast({ text: `Not undone: ${who} changed ${what} since.` })
  } catch (err) {
    const again = () => void undoUnlessChanged({ projectId, what, isAsLeft, isSuch, run })
    const action = { label: 'Retry', run: again }
    showToast({ text: 'Not undone', detail: (err as Error).message, tone: 'error', action })
  }
}

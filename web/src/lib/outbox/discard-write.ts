import { showToast } from '../toasts.ts'
import { discardWrite, restoreWrite } from './index.ts'

/** Takes a write back that was not saved, and offers to bring it back. */
export function discardWithUndo(id: string): void {
  const write = discardWrite(id)
  if (!write) return
  const undo = { label: 'Undo', run: () => restoreWrite(write) }
  showToast({ text: `Discarded: ${write.text}`, action: undo })
}

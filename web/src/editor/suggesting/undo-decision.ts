import type { Transaction } from 'yjs'
import * as Y from 'yjs'
import type { LiveDocument } from '../live-document.ts'

/** What the server did to the text because of a decision. */
export interface Decision {
  /** Brings back what it took, and takes what it brought. What others typed since stays. */
  undo(): void
  forget(): void
}

/**
 * Follows what comes from the server while a decision is made. Whatever takes away some of the suggestions in question is
 * part of the decision, and nothing else is: what others type comes in changes of its own.
 */
export function followDecision({ fragment, provider }: LiveDocument, countPending: () => number): Decision {
  let last = countPending()
  const manager = new Y.UndoManager(fragment, {
    trackedOrigins: new Set([provider]),
    captureTransaction: ({ origin }: Transaction) => {
      if (origin !== provider || last === 0) return false
      const now = countPending()
      const isPart = now < last
      last = now
      return isPart
    },
  })
  const run = () => {
    while (manager.undoStack.length > 0) manager.undo()
    manager.destroy()
  }
  return {
    undo() {
      if (last === 0) run()
      // The server has answered, but its change is still on its way.
      else manager.on('stack-item-added', () => last === 0 && queueMicrotask(run))
    },
    forget: () => manager.destroy(),
  }
}

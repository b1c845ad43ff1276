import { createStore } from '../../lib/store.ts'
import type { Target } from './edits.ts'

/** The dialog of the inbox that is open. */
export type Opened =
  | { kind: 'by-hand' }
  | {
      kind: 'new-theme'
      items: Target[]
      title: string
      excerpt?: string | undefined
      onDone?: (() => void) | undefined
    }

export const openedDialog = createStore<Opened | undefined>(undefined)
export const openByHand = () => openedDialog.set({ kind: 'by-hand' })
export const openNewTheme = (preset: Omit<Extract<Opened, { kind: 'new-theme' }>, 'kind'>) =>
  openedDialog.set({ kind: 'new-theme', ...preset })
export const closeDialog = () => openedDialog.set(undefined)

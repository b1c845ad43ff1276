import { createStore } from '../../lib/store.ts'
import type { ThemeRow } from './api.ts'

interface OfQuotes {
  row: ThemeRow
  itemIds: string[]
  onDone(): void
}

export type ThemeDialog =
  | { kind: 'create' }
  | { kind: 'edit'; row: ThemeRow }
  | { kind: 'merge'; row: ThemeRow }
  | ({ kind: 'split'; title?: string } & OfQuotes)
  | ({ kind: 'move' } & OfQuotes)

/** The dialog that is open above the themes. */
export const themeDialog = createStore<ThemeDialog | undefined>(undefined)
export const openThemeDialog = (dialog: ThemeDialog) => themeDialog.set(dialog)
export const closeThemeDialog = () => themeDialog.set(undefined)

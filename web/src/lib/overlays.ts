import { createStore } from './store.ts'

/** What the frame shows above the page. One at a time. */
export type Overlay = 'palette' | 'shortcuts' | 'sign-out' | 'undo-list' | 'places' | undefined

export const overlay = createStore<Overlay>(undefined)
export const openPalette = () => overlay.set('palette')
export const openShortcuts = () => overlay.set('shortcuts')
export const openSignOut = () => overlay.set('sign-out')
export const openUndoList = () => overlay.set('undo-list')
export const openPlaces = () => overlay.set('places')
export const closeOverlay = () => overlay.set(undefined)

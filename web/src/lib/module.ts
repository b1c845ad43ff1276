import type { Found } from '@slipway/sdk'
import type { ComponentType, ReactNode } from 'react'
import type { Selection } from './selection.ts'

/**
 * What the frame may use of a module. Its `index.ts` exports it, and `app/modules.ts` says how to load it. It is part of
 * the first screen of the module, so it loads what that does not need when it is asked for.
 */
export interface ModuleCode {
  /** Below the list of modules, while the module is open. */
  Sidebar?: ComponentType
  /** Its dialogs, above whichever page is open. */
  Dialogs?: ComponentType<{ projectId: string }>
  /** Opens the dialog that creates something. */
  create?(preset?: { title?: string }): void
  /** Starts to keep what was read current. Called once. */
  follow?(): void
  /** Loads what is likely to be opened next, so that it opens at once, also without a connection. */
  loadAhead?(): Promise<unknown>
  /** Loads every kind of write, for those that waited through a reload. */
  loadWrites?(): Promise<unknown>
  selection?: Selection
  /** Loads what the palette needs of it. */
  palette?(): Promise<PalettePart>
}

export interface PalettePart {
  /** The kind whose results have actions, which Tab shows. */
  actsOn?: Found['kind']
  actions(at: PaletteContext): Action[]
  /** Finds by words what is on this device; without words, what changed last. */
  find?(projectId: string, words: string): Found[]
  /** One as it is now. Null if it is gone, undefined if this device does not know. */
  look?(projectId: string, id: string): Found | null | undefined
  /** The end of the line of a result: its state. */
  End?: ComponentType<{ projectId: string; found: Found }>
}

export interface PaletteContext {
  projectId: string
  userId: string
  mayWrite: boolean
  words: string
  /** Only actions were asked for, so the words name one. */
  onlyActions: boolean
  /** The id of what actions were asked for. */
  target: string | undefined
  /** The id of the result that is highlighted. */
  activeId: string | undefined
  /** Opens a page of the project: `work-orders`. */
  open(path: string, search?: Record<string, string | undefined>): void
}

export interface Action {
  /** `subject`: does something with what is selected, open or highlighted. */
  group: 'create' | 'subject' | 'search' | 'go'
  /** No two of a group have the same. */
  name: string
  /** What was typed, shown after the name as what it is searched for. */
  quoted?: string
  /** What the words are compared with. */
  words: string
  /** Shown whatever the words are, as long as not only actions were asked for. */
  isAlways?: boolean
  icon: ReactNode
  keys?: string
  run(): void
}

/** An action whose name is all that there is to find. */
export const plainAction = (
  group: Action['group'],
  name: string,
  icon: ReactNode,
  run: () => void,
  keys?: string,
): Action => ({ group, name, words: name, icon, run, ...(keys && { keys }) })

import type { UseQueryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { HistoryEntry } from './entry.ts'
import type { ChosenVersions } from './search.ts'

/** How the text of a version is read. Only the current one can still change, while someone types. */
export type TextQuery = (versionId: string, isCurrent: boolean) => UseQueryOptions<string>

/** What the history is of. The module that it belongs to knows where its versions are and what may be done with them. */
export interface HistoryOf {
  title: string | undefined
  /** The way to the text, before "History". */
  path: ReactNode
  /** The newest first. */
  versions: HistoryEntry[] | undefined
  textQuery: TextQuery
  chosen: ChosenVersions
  onChoose(next: ChosenVersions): void
  onClose(): void
  /** Returns false if it was not restored. */
  onRestore(version: HistoryEntry, current: HistoryEntry | undefined): Promise<boolean>
  /** Undefined if versions of this kind have no names. */
  onName?: ((version: HistoryEntry, name: string | null) => void) | undefined
}

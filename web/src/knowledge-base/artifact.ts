import type { ArtifactRow, ArtifactSort } from '@slipway/sdk'
import type { Kind } from '../artifacts/kinds.ts'

export type Row = ArtifactRow
export type Sort = ArtifactSort

export const KIND_NAMES: Record<Kind, string> = {
  folder: 'Folder',
  document: 'Document',
  image: 'Picture',
  pdf: 'PDF',
  spreadsheet: 'Spreadsheet',
  text: 'Text or code',
  audio: 'Audio',
  video: 'Video',
  archive: 'Archive',
  other: 'Other',
}
export const KINDS = Object.keys(KIND_NAMES) as Kind[]

export const SORT_NAMES: Record<Sort, string> = {
  name: 'Name',
  '-name': 'Name, Z to A',
  '-updated': 'Last updated',
  updated: 'Longest unchanged',
  '-size': 'Largest',
  size: 'Smallest',
}
export const SORTS = Object.keys(SORT_NAMES) as Sort[]

/** What the web calls the root. */
export const ROOT_NAME = 'All files'

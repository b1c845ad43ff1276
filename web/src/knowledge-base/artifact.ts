import type { ArtifactRow } from '@slipway/sdk'

export type Row = ArtifactRow
export type Kind = Row['kind']

export const KINDS = [
  'folder',
  'document',
  'image',
  'pdf',
  'spreadsheet',
  'text',
  'audio',
  'video',
  'archive',
  'other',
] as const satisfies readonly Kind[]

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

export const SORTS = ['name', '-name', '-updated', 'updated', '-size', 'size'] as const
export type Sort = (typeof SORTS)[number]

export const SORT_NAMES: Record<Sort, string> = {
  name: 'Name',
  '-name': 'Name, Z to A',
  '-updated': 'Last updated',
  updated: 'Longest unchanged',
  '-size': 'Largest',
  size: 'Smallest',
}

/** What the web calls the root. */
export const ROOT_NAME = 'All files'

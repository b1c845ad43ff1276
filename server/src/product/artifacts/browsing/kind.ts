/** What people call a file by: it decides the icon, the preview and the filter. The table derives it from type and name. */
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
] as const
export type Kind = (typeof KINDS)[number]

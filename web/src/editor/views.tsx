import { IconMarkdown, IconPilcrow } from '../ui/icons.ts'

/** How a text can be shown. */
export const TEXT_VIEWS = [
  { value: 'rich', label: 'Rich', icon: <IconPilcrow size={15} stroke={1.75} /> },
  { value: 'markdown', label: 'Markdown', icon: <IconMarkdown size={15} stroke={1.75} /> },
] as const

export type TextView = (typeof TEXT_VIEWS)[number]['value']

import { type PalettePart, plainAction } from '../lib/module.ts'
import { IconFolder, IconTrash } from '../ui/icons.ts'

const SIZE = { size: 15, stroke: 1.75 }

export const palette: PalettePart = {
  actions: ({ words, onlyActions, open }) => {
    const text = onlyActions ? '' : words
    const name = 'Search the knowledge base'
    return [
      {
        group: 'search',
        name,
        ...(text && { quoted: text }),
        words: text || name,
        icon: <IconFolder {...SIZE} />,
        run: () => open('knowledge-base', text ? { q: text } : {}),
      },
      plainAction('go', 'Trash of the knowledge base', <IconTrash {...SIZE} />, () => open('knowledge-base/trash')),
    ]
  },
}

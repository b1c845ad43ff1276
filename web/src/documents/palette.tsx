import type { PalettePart } from '../lib/module.ts'
import { IconRegex } from '../ui/icons.ts'
import type { Kind } from './kind.ts'

export const actionsOf =
  (kind: Kind): PalettePart['actions'] =>
  ({ words, onlyActions, open }) => {
    const name = `Search text in ${kind}`
    const text = onlyActions ? '' : words
    return [
      {
        group: 'search',
        name,
        ...(text && { quoted: text }),
        words: text || name,
        icon: <IconRegex size={15} stroke={1.75} />,
        run: () => open(`${kind}/search`, text ? { q: text } : {}),
      },
    ]
  }

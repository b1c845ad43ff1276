import { type PalettePart, plainAction } from '../lib/module.ts'
import { IconMessagePlus, IconMessages } from '../ui/icons.ts'

const size = { size: 15, stroke: 1.75 }

export const palette: PalettePart = {
  actions: ({ open, mayWrite, target }) =>
    target
      ? []
      : [
          ...(mayWrite
            ? [plainAction('create', 'New chat', <IconMessagePlus {...size} />, () => open('conversations/new'))]
            : []),
          plainAction('go', 'Conversations', <IconMessages {...size} />, () => open('conversations')),
        ],
}

import { type PalettePart, plainAction } from '../lib/module.ts'
import { IconInbox, IconPlugConnected, IconPlus, IconStack2 } from '../ui/icons.ts'
import { openByHand } from './inbox/open-dialogs.ts'

const size = { size: 15, stroke: 1.75 }

export const palette: PalettePart = {
  actions: ({ open, mayWrite, target }) =>
    target
      ? []
      : [
          ...(mayWrite ? [plainAction('create', 'Add feedback by hand', <IconPlus {...size} />, openByHand)] : []),
          plainAction('go', 'Feedback inbox', <IconInbox {...size} />, () => open('feedback')),
          plainAction('go', 'Themes', <IconStack2 {...size} />, () => open('feedback/themes')),
          plainAction('go', 'Connect feedback', <IconPlugConnected {...size} />, () => open('feedback/connect')),
        ],
}

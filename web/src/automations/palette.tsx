import { type PalettePart, plainAction } from '../lib/module.ts'
import { IconBolt, IconHistory, IconHourglass, IconPlus } from '../ui/icons.ts'

const size = { size: 15, stroke: 1.75 }

export const palette: PalettePart = {
  actions: ({ open, mayWrite, target }) =>
    target
      ? []
      : [
          ...(mayWrite
            ? [plainAction('create', 'New automation', <IconPlus {...size} />, () => open('automations/new'))]
            : []),
          plainAction('go', 'Automations', <IconBolt {...size} />, () => open('automations')),
          plainAction('go', 'Runs of automations', <IconHistory {...size} />, () => open('automations/runs')),
          plainAction('go', 'Proposals that wait', <IconHourglass {...size} />, () =>
            open('automations/runs', { waiting: 'yes' }),
          ),
        ],
}

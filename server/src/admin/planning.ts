import { addLabel, addPhase, LABEL_COLORS } from '../product/work-orders/index.ts'
import { type Command, projectCtx, shortText } from './command.ts'

export const planningCommands: Record<string, Command> = {
  'label add': {
    usage: '--project NAME_OR_ID --title TITLE [--color COLOR]',
    flags: { project: 'text', title: 'text', color: 'text' },
    async run(tools, flags) {
      const label = {
        title: shortText('title', flags.text('title')),
        color: flags.oneOf('color', LABEL_COLORS, 'gray'),
      }
      return addLabel(await projectCtx(tools, flags), label)
    },
  },
  'phase add': {
    usage: '--project NAME_OR_ID --title TITLE',
    flags: { project: 'text', title: 'text' },
    async run(tools, flags) {
      const title = shortText('title', flags.text('title'))
      const phase = await addPhase(await projectCtx(tools, flags), { title })
      return { id: phase.id, phase_number: phase.phaseNumber, title: phase.title }
    },
  },
}

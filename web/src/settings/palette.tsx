import { type PalettePart, plainAction } from '../lib/module.ts'
import { IconCpu, IconKey, IconPlugConnected, IconRobot, IconUserCircle, IconUsers } from '../ui/icons.ts'

const size = { size: 15, stroke: 1.75 }

export const actions: PalettePart['actions'] = ({ open }) => [
  plainAction('go', 'Members', <IconUsers {...size} />, () => open('settings/members')),
  plainAction('go', 'API keys', <IconKey {...size} />, () => open('settings/keys')),
  plainAction('go', 'Coding agents', <IconRobot {...size} />, () => open('settings/agents')),
  plainAction('go', 'Models and budgets', <IconCpu {...size} />, () => open('settings/models')),
  plainAction('go', 'Integrations', <IconPlugConnected {...size} />, () => open('settings/integrations')),
  plainAction('go', 'Account', <IconUserCircle {...size} />, () => open('settings/account')),
]

import { defineShortcuts } from '../../lib/shortcuts.ts'

export const { keysOf, useShortcut } = defineShortcuts([
  { id: 'theme-work-order', keys: 'w', group: 'Themes', name: 'Create work order from the theme' },
])

import { defineShortcuts } from '../lib/shortcuts.ts'

export const { keysOf, useShortcut } = defineShortcuts([
  { id: 'proposal-accept', keys: 'a', group: 'Runs', name: 'Accept the proposal' },
  { id: 'proposal-reject', keys: 'r', group: 'Runs', name: 'Reject the proposal' },
  { id: 'run-retry', keys: 'r', group: 'Runs', name: 'Do a failed run again' },
  { id: 'automation-save', keys: 'mod+s', group: 'Automations', name: 'Save the automation' },
])

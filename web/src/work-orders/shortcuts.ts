import { defineShortcuts } from '../lib/shortcuts.ts'

export const { keysOf, useShortcut } = defineShortcuts([
  { id: 'status', keys: 's', group: 'Lists', name: 'Status', line: 'Status, priority, phase' },
  { id: 'priority', keys: 'p', group: 'Lists', name: 'Priority', line: 'Status, priority, phase' },
  { id: 'phase', keys: 'h', group: 'Lists', name: 'Phase', line: 'Status, priority, phase' },
  { id: 'assignee', keys: 'a', group: 'Lists', name: 'Assignee', line: 'Assignee, labels, type' },
  { id: 'label', keys: 'l', group: 'Lists', name: 'Labels', line: 'Assignee, labels, type' },
  { id: 'type', keys: 't', group: 'Lists', name: 'Type', line: 'Assignee, labels, type' },
  { id: 'copy', keys: 'mod+shift+c', group: 'Lists', name: 'Copy for agent' },
])

import { defineShortcuts } from '../lib/shortcuts.ts'

export const { keysOf, useShortcut } = defineShortcuts([
  { id: 'inbox-link', keys: '1', group: 'Inbox', name: 'Link to the suggested theme' },
  { id: 'inbox-new-theme', keys: '2', group: 'Inbox', name: 'New theme' },
  { id: 'inbox-dismiss', keys: '3', group: 'Inbox', name: 'Dismiss' },
  { id: 'inbox-quote', keys: 'q', group: 'Inbox', name: 'Quote the selected words' },
  { id: 'inbox-undo', keys: 'u', group: 'Inbox', name: 'Undo the last decision' },
])

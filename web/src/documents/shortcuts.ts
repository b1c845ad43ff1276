import '../editor/shortcuts.ts'
import { defineShortcuts } from '../lib/shortcuts.ts'

export const { useShortcut } = defineShortcuts([
  { id: 'search-text', keys: 'mod+shift+f', group: 'Documents', name: 'Search the text' },
  { id: 'accept', keys: 'a', group: 'Documents', name: 'Accept the suggestion' },
  { id: 'reject', keys: 'r', group: 'Documents', name: 'Reject the suggestion' },
])

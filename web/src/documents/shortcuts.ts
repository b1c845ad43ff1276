import { EDITOR_SHORTCUTS } from '../editor/editor-keys.ts'
import { addShortcuts, defineShortcuts } from '../lib/shortcuts.ts'

export const { useShortcut } = defineShortcuts([
  { id: 'search-text', keys: 'mod+shift+f', group: 'Documents', name: 'Search the text' },
  { id: 'accept', keys: 'a', group: 'Documents', name: 'Accept the suggestion' },
  { id: 'reject', keys: 'r', group: 'Documents', name: 'Reject the suggestion' },
])

// The editor binds them itself; the sheet shows them.
addShortcuts(EDITOR_SHORTCUTS)

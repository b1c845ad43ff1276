import '../editor/shortcuts.ts'
import { defineShortcuts } from '../lib/shortcuts.ts'

export const { useShortcut } = defineShortcuts([
  { id: 'upload', keys: 'u', group: 'Knowledge base', name: 'Upload' },
  { id: 'rename', keys: 'f2', group: 'Knowledge base', name: 'Rename' },
  { id: 'move', keys: 'm', group: 'Knowledge base', name: 'Move to' },
  { id: 'trash', keys: 'delete', group: 'Knowledge base', name: 'Delete' },
])

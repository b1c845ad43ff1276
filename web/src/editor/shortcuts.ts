import { addShortcuts } from '../lib/shortcuts.ts'
import { EDITOR_SHORTCUTS } from './editor-keys.ts'

// The editor binds them itself; the sheet shows them.
addShortcuts(EDITOR_SHORTCUTS)

import type { ModuleCode } from '../lib/module.ts'
import { KnowledgeBaseDialogs } from './dialogs.tsx'
import { followKnowledgeBase } from './live.ts'
import { selected } from './selection.ts'
import './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'

export const knowledgeBase: ModuleCode = {
  Sidebar,
  Dialogs: KnowledgeBaseDialogs,
  follow: followKnowledgeBase,
  loadWrites: () => import('./writes.ts'),
  selection: selected,
  palette: async () => (await import('./palette.tsx')).palette,
}

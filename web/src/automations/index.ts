import type { ModuleCode } from '../lib/module.ts'
import { followAutomations } from './live.ts'
import { Sidebar } from './sidebar.tsx'
import './shortcuts.ts'

export const automations: ModuleCode = {
  Sidebar,
  follow: followAutomations,
  loadAhead: () => import('./runs/RunsPage.tsx'),
  loadWrites: () => import('./writes.ts'),
  palette: async () => (await import('./palette.tsx')).palette,
}

import type { ModuleCode } from '../lib/module.ts'
import { followFeedback } from './live.ts'
import { Sidebar } from './sidebar.tsx'
import './themes/shortcuts.ts'

export const feedback: ModuleCode = { Sidebar, follow: followFeedback, loadWrites: () => import('./writes.ts') }

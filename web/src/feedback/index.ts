import type { ModuleCode } from '../lib/module.ts'
import { followFeedback } from './live.ts'
import { Sidebar } from './sidebar.tsx'

export const feedback: ModuleCode = { Sidebar, follow: followFeedback }

import type { ModuleCode } from '../lib/module.ts'
import { FeedbackDialogs } from './dialogs.tsx'
import { openByHand } from './inbox/open-dialogs.ts'
import { selectedReports } from './inbox/selection.ts'
import { followFeedback } from './live.ts'
import { Sidebar } from './sidebar.tsx'
import './shortcuts.ts'
import './themes/shortcuts.ts'

export const feedback: ModuleCode = {
  Sidebar,
  Dialogs: FeedbackDialogs,
  create: () => openByHand(),
  follow: followFeedback,
  loadAhead: () => import('./inbox/InboxPage.tsx'),
  loadWrites: () => import('./writes.ts'),
  selection: selectedReports,
  palette: async () => (await import('./palette.tsx')).palette,
}

import type { ModuleCode } from '../lib/module.ts'
import { openCreate } from './create/open-create.ts'
import { loadWorkOrderDialogs, WorkOrderDialogs } from './dialogs.tsx'
import { followWorkOrders } from './live.ts'
import { palette } from './palette.tsx'
import { selected } from './selection.ts'
import { Sidebar } from './sidebar.tsx'
import './shortcuts.ts'
// Every kind of write, so that one which waited through a reload is sent whichever page is opened first.
import './create/creation.ts'
import './detail/comments.ts'
import './edits.ts'
import './labels/edits.ts'
import './phases/edits.ts'
import './texts.ts'
import './views/saved-views.ts'

export const workOrders: ModuleCode = {
  Sidebar,
  Dialogs: WorkOrderDialogs,
  create: openCreate,
  follow: followWorkOrders,
  loadAhead: () => Promise.all([loadWorkOrderDialogs(), import('./detail/WorkOrderPage.tsx')]),
  selection: selected,
  palette,
}

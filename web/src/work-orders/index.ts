import type { ModuleCode } from '../lib/module.ts'
import { openCreate } from './create/open-create.ts'
import { loadWorkOrderDialogs, WorkOrderDialogs } from './dialogs.tsx'
import { followWorkOrders } from './live.ts'
import { selected } from './selection.ts'
import { Sidebar } from './sidebar.tsx'
import './shortcuts.ts'

export const workOrders: ModuleCode = {
  Sidebar,
  Dialogs: WorkOrderDialogs,
  create: openCreate,
  follow: followWorkOrders,
  loadAhead: () => Promise.all([loadWorkOrderDialogs(), import('./detail/WorkOrderPage.tsx')]),
  loadWrites: () => import('./writes.ts'),
  selection: selected,
  palette: async () => (await import('./palette.tsx')).palette,
}

import { Outlet, useLocation, useNavigate, useParams, useRouteContext } from '@tanstack/react-router'
import './writes.ts'
import { lazy, Suspense, useEffect } from 'react'
import { useLiveUpdates } from '../lib/live.ts'
import { startOutbox } from '../lib/outbox/index.ts'
import { tellPage } from '../lib/presence.ts'
import { remember } from '../lib/storage.ts'
import { useStore } from '../lib/store.ts'
import { followWorkOrders } from '../work-orders/live.ts'
import { BottomBar } from './BottomBar.tsx'
import css from './Frame.module.css'
import { Conflicts, OfflineBanner } from './OfflineBanner.tsx'
import { closeOverlay, openCreate, openPalette, openShortcuts, overlay } from './overlays.ts'
import { Sidebar } from './Sidebar.tsx'
import { useShortcut, useShortcutListener } from './shortcuts.ts'
import { toggleSidebar } from './sidebar-state.ts'

const Palette = lazy(() => import('./palette/Palette.tsx'))
const ShortcutSheet = lazy(() => import('./ShortcutSheet.tsx'))
const CreateDialog = lazy(() => import('../work-orders/create/CreateDialog.tsx'))

/** The page around every module of a project. */
export function Frame() {
  const { projectId } = useParams({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const shown = useStore(overlay)
  useEffect(() => remember('project', projectId), [projectId])
  useEffect(() => void startOutbox(session.user.id), [session.user.id])
  useLiveUpdates(projectId)
  const page = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it tells where the tab is after each move.
  useEffect(() => tellPage(projectId), [projectId, page])
  useEffect(followWorkOrders, [])
  useShortcutListener()
  useShortcut('palette', openPalette, { inDialog: true })
  useShortcut('search', openPalette)
  useShortcut('sheet', openShortcuts)
  useShortcut('sidebar', toggleSidebar)
  useShortcut('create', () => openCreate())
  useShortcut('go-work-orders', () => void navigate({ to: '/p/$projectId/work-orders', params: { projectId } }))
  return (
    <div className={css.frame}>
      <Sidebar />
      <div className={css.main}>
        <OfflineBanner />
        <Outlet />
      </div>
      <BottomBar />
      <Conflicts />
      <Suspense>
        {shown?.kind === 'palette' && <Palette onClose={closeOverlay} />}
        {shown?.kind === 'shortcuts' && <ShortcutSheet onClose={closeOverlay} />}
        {shown?.kind === 'create' && <CreateDialog preset={shown.preset} onClose={closeOverlay} />}
      </Suspense>
    </div>
  )
}

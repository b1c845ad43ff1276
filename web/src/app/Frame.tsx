import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { followDocuments } from '../documents/live.ts'
import { useLiveUpdates } from '../lib/live.ts'
import { remember } from '../lib/storage.ts'
import { useStore } from '../lib/store.ts'
import { followWorkOrders } from '../work-orders/live.ts'
import { BottomBar } from './BottomBar.tsx'
import css from './Frame.module.css'
import { closeOverlay, openCreate, openPalette, openShortcuts, overlay } from './overlays.ts'
import { Sidebar } from './Sidebar.tsx'
import { useShortcut, useShortcutListener } from './shortcuts.ts'

const Palette = lazy(() => import('./palette/Palette.tsx'))
const ShortcutSheet = lazy(() => import('./ShortcutSheet.tsx'))
const CreateDialog = lazy(() => import('../work-orders/create/CreateDialog.tsx'))

/** The page around every module of a project. */
export function Frame() {
  const { projectId } = useParams({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const shown = useStore(overlay)
  useEffect(() => remember('project', projectId), [projectId])
  useLiveUpdates(projectId)
  useEffect(followWorkOrders, [])
  useEffect(followDocuments, [])
  useShortcutListener()
  useShortcut('palette', openPalette, { inDialog: true })
  useShortcut('search', openPalette)
  useShortcut('sheet', openShortcuts)
  useShortcut('create', () => openCreate())
  useShortcut('go-requirements', () => void navigate({ to: '/p/$projectId/requirements', params: { projectId } }))
  useShortcut('go-blueprints', () => void navigate({ to: '/p/$projectId/blueprints', params: { projectId } }))
  useShortcut('go-work-orders', () => void navigate({ to: '/p/$projectId/work-orders', params: { projectId } }))
  return (
    <div className={css.frame}>
      <Sidebar />
      <div className={css.main}>
        <Outlet />
      </div>
      <BottomBar />
      <Suspense>
        {shown?.kind === 'palette' && <Palette onClose={closeOverlay} />}
        {shown?.kind === 'shortcuts' && <ShortcutSheet onClose={closeOverlay} />}
        {shown?.kind === 'create' && <CreateDialog preset={shown.preset} onClose={closeOverlay} />}
      </Suspense>
    </div>
  )
}

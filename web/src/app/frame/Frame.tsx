import { useIsFetching, useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate, useParams, useRouteContext, useRouter } from '@tanstack/react-router'
import { useMayWrite } from '../../lib/may-write.ts'
import '../writes.ts'
import { lazy, Suspense, useEffect } from 'react'
import { followConnections } from '../../connections/api.ts'
import { followDocuments } from '../../documents/live.ts'
import { leaveProject } from '../../lib/leave-project.ts'
import { onChange, useLiveUpdates } from '../../lib/live.ts'
import { startOutbox } from '../../lib/outbox/index.ts'
import { closeOverlay, openCreate, openPalette, openShortcuts, overlay } from '../../lib/overlays.ts'
import { tellPage } from '../../lib/presence.ts'
import { rememberVisit } from '../../lib/recents.ts'
import { readSessionAgain } from '../../lib/session.ts'
import { useShortcut, useShortcutListener } from '../../lib/shortcuts.ts'
import { toggleSidebar } from '../../lib/sidebar-state.ts'
import { remember } from '../../lib/storage.ts'
import { useStore } from '../../lib/store.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { Boundary, OverlayBoundary } from '../../ui/Boundary.tsx'
import { Conflicts, OfflineBanner } from '../../ui/outbox/OfflineBanner.tsx'
import { workOrderQuery } from '../../work-orders/api.ts'
import { loadWorkOrderDialogs, WorkOrderDialogs } from '../../work-orders/dialogs.tsx'
import { followWorkOrders } from '../../work-orders/live.ts'
import { TypeAhead } from '../palette/typed-ahead.ts'
import { BottomBar } from './BottomBar.tsx'
import css from './Frame.module.css'
import { Sidebar } from './Sidebar.tsx'

const loadPalette = () => import('../palette/Palette.tsx')
const loadSheet = () => import('../ShortcutSheet.tsx')
const loadSignOut = () => import('./SignOutDialog.tsx')
const loadCreate = () => import('../../work-orders/create/CreateDialog.tsx')
const Palette = lazy(loadPalette)
const ShortcutSheet = lazy(loadSheet)
const SignOutDialog = lazy(loadSignOut)
const CreateDialog = lazy(loadCreate)
const LOAD_AFTER_MS = 2_000
const LOAD_WITHIN_MS = 5_000

/** Loads what may be wanted next, so that it opens at once, also without a connection. */
function useLoadedAhead(): void {
  useEffect(() => {
    const load = () => {
      const more = [
        () => import('../../work-orders/detail/WorkOrderPage.tsx'),
        () => import('../../ui/outbox/CompareDialog.tsx'),
      ]
      for (const one of [loadPalette, loadSheet, loadCreate, loadSignOut, loadWorkOrderDialogs, ...more])
        one().catch(() => {})
    }
    const timer = setTimeout(() => whenIdle(load, LOAD_WITHIN_MS), LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}

/** Notes which work orders are opened, for the palette. */
function useRememberedVisits(projectId: string, page: string): void {
  const number = Number(/\/work-orders\/(\d+)$/.exec(page)?.[1])
  const row = useQuery({ ...workOrderQuery(projectId, number), enabled: false }).data
  useEffect(() => {
    if (row) rememberVisit(projectId, { kind: 'work_order', id: row.id, number, title: row.title })
  }, [row, projectId, number])
}

/** Shows the new name of the project, and what a new role allows, when somebody else changes them. */
function useFreshSession(userId: string): void {
  const router = useRouter()
  useEffect(() => {
    return onChange(({ kind, subject_type, subject_id, actor, payload }, projectId, isOwn) => {
      if (kind === 'project.deleted') {
        const text = `${actor.name} deleted ${payload.name}.`
        if (!isOwn) void leaveProject(router, { projectId, text, isDeleted: true })
      } else if (kind === 'project.renamed' || (subject_type === 'user' && subject_id === userId))
        void readSessionAgain().then(() => router.invalidate())
    })
  }, [router, userId])
}

/** A line at the top while something is read for the first time. */
function Progress() {
  const pending = useIsFetching({ predicate: ({ state }) => state.data === undefined })
  return pending > 0 ? <div className={css.progress} aria-hidden="true" /> : null
}

/** The page around every module of a project. */
export function Frame() {
  const { projectId } = useParams({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const router = useRouter()
  const shown = useStore(overlay)
  useEffect(() => void remember('project', projectId), [projectId])
  useEffect(() => void startOutbox(session.user.id), [session.user.id])
  useFreshSession(session.user.id)
  useLiveUpdates(
    projectId,
    session.user.id,
    () => void leaveProject(router, { projectId, text: `You are no longer in ${project.name}.` }),
  )
  const page = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it tells where the tab is after each move.
  useEffect(() => void tellPage(projectId), [projectId, page])
  useRememberedVisits(projectId, page)
  useEffect(followWorkOrders, [])
  useEffect(followDocuments, [])
  useEffect(followConnections, [])
  useLoadedAhead()
  useShortcutListener()
  useShortcut('palette', openPalette, { inDialog: true })
  useShortcut('search', openPalette)
  useShortcut('sheet', openShortcuts)
  useShortcut('sidebar', toggleSidebar)
  useShortcut('create', useMayWrite() ? () => openCreate() : undefined, { isDefault: true })
  useShortcut('go-requirements', () => void navigate({ to: '/p/$projectId/requirements', params: { projectId } }))
  useShortcut('go-blueprints', () => void navigate({ to: '/p/$projectId/blueprints', params: { projectId } }))
  useShortcut('go-work-orders', () => void navigate({ to: '/p/$projectId/work-orders', params: { projectId } }))
  return (
    <div className={css.frame}>
      <Boundary of={page}>
        <Sidebar />
      </Boundary>
      <main className={css.main}>
        <Progress />
        <OfflineBanner />
        <Outlet />
      </main>
      <BottomBar />
      <OverlayBoundary of={`${page} ${shown?.kind}`}>
        <Conflicts />
        <WorkOrderDialogs projectId={projectId} />
        {shown?.kind === 'palette' && (
          <Suspense fallback={<TypeAhead />}>
            <Palette onClose={closeOverlay} />
          </Suspense>
        )}
        <Suspense>
          {shown?.kind === 'shortcuts' && <ShortcutSheet onClose={closeOverlay} />}
          {shown?.kind === 'sign-out' && <SignOutDialog onClose={closeOverlay} />}
          {shown?.kind === 'create' && <CreateDialog preset={shown.preset} onClose={closeOverlay} />}
        </Suspense>
      </OverlayBoundary>
    </div>
  )
}

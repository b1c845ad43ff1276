import { useIsFetching } from '@tanstack/react-query'
import { Outlet, useLocation, useParams, useRouteContext, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { question } from '../../lib/asking.ts'
import { leaveProject } from '../../lib/leave-project.ts'
import { useLiveUpdates } from '../../lib/live.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { startOutbox } from '../../lib/outbox/index.ts'
import { closeOverlay, openPalette, openShortcuts, overlay } from '../../lib/overlays.ts'
import { tellPage } from '../../lib/presence.ts'
import { useShortcut, useShortcutListener } from '../../lib/shortcuts.ts'
import { toggleSidebar } from '../../lib/sidebar-state.ts'
import { remember } from '../../lib/storage.ts'
import { useStore } from '../../lib/store.ts'
import { undo } from '../../lib/undo.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { Boundary, OverlayBoundary } from '../../ui/Boundary.tsx'
import { OpenPicker } from '../../ui/open-picker.tsx'
import { Conflicts, OfflineBanner } from '../../ui/outbox/OfflineBanner.tsx'
import { loadPopUps } from '../../ui/PopUp.tsx'
import { HOME, MODULES, moduleOf } from '../find-module.ts'
import { loadModule, loadModules, useLoadedModules } from '../loaded-modules.ts'
import { TypeAhead } from '../palette/typed-ahead.ts'
import { BottomBar } from './BottomBar.tsx'
import css from './Frame.module.css'
import { useFollowed } from './follow.ts'
import { GoKeys } from './go-keys.tsx'
import { Sidebar } from './Sidebar.tsx'

const loadPalette = () => import('../palette/Palette.tsx')
const loadPaletteParts = async () => (await import('../palette/parts.ts')).loadParts()
const loadSheet = () => import('../ShortcutSheet.tsx')
const loadUndoList = () => import('../UndoList.tsx')
const loadPlaces = () => import('./Places.tsx')
const loadAsking = () => import('../../ui/Asking.tsx')
const loadSignOut = () => import('./SignOutDialog.tsx')
const loadComparison = () => import('../../ui/outbox/CompareDialog.tsx')
const Palette = lazy(loadPalette)
const ShortcutSheet = lazy(loadSheet)
const UndoList = lazy(loadUndoList)
const Places = lazy(loadPlaces)
const Asking = lazy(loadAsking)
const SignOutDialog = lazy(loadSignOut)
const LOAD_AFTER_MS = 2_000
const LOAD_WITHIN_MS = 5_000

const AHEAD = [
  loadPopUps,
  loadPlaces,
  loadPalette,
  loadPaletteParts,
  loadSheet,
  loadAsking,
  loadSignOut,
  loadComparison,
]

/** Loads what may be wanted next, so that it opens at once, also without a connection. */
function useLoadedAhead(): void {
  useEffect(() => {
    const load = async () => {
      for (const one of AHEAD) one().catch(() => {})
      for (const one of await loadModules()) if (one.status === 'fulfilled') one.value.loadAhead?.().catch(() => {})
    }
    const timer = setTimeout(() => whenIdle(() => void load(), LOAD_WITHIN_MS), LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}

/** What `c` creates: something of the open module, or else of the first one that has something to create. */
async function create(page: string): Promise<void> {
  const open = moduleOf(page)
  for (const { id } of [...(open ? [open] : []), HOME, ...MODULES]) {
    const code = await loadModule(id)
    if (code.create) return code.create()
  }
}

/** A line at the top while something is read for the first time. */
function Progress() {
  const pending = useIsFetching({ predicate: ({ state }) => state.data === undefined })
  return pending > 0 ? <div className={css.progress} aria-hidden="true" /> : null
}

/** The page around every module of a project. */
export function Frame() {
  const { projectId } = useParams({ from: '/signed-in/p/$projectId' })
  const { session, project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const router = useRouter()
  const shown = useStore(overlay)
  const isAsked = useStore(question) !== undefined
  const modules = useLoadedModules()
  useEffect(() => void remember('project', projectId), [projectId])
  useEffect(() => void startOutbox(session.user.id), [session.user.id])
  useFollowed(session.user.id)
  useLiveUpdates(
    projectId,
    session.user.id,
    () => void leaveProject(router, { projectId, text: `You are no longer in ${project.name}.` }),
  )
  const page = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it tells where the tab is after each move.
  useEffect(() => void tellPage(projectId), [projectId, page])
  const open = moduleOf(page) ?? HOME
  useEffect(() => void loadModule(open.id).catch(() => {}), [open])
  useLoadedAhead()
  useShortcutListener()
  useShortcut('palette', openPalette, { inDialog: true })
  useShortcut('search', openPalette)
  useShortcut('sheet', openShortcuts)
  useShortcut('sidebar', toggleSidebar)
  useShortcut('undo', () => undo())
  useShortcut('create', useMayWrite() ? () => void create(page) : undefined, { isDefault: true })
  return (
    <div className={css.frame}>
      <GoKeys projectId={projectId} />
      <Boundary of={page}>
        <Sidebar />
      </Boundary>
      <main className={css.main}>
        <Progress />
        <OfflineBanner />
        <Outlet />
      </main>
      <BottomBar />
      <OverlayBoundary of={`${page} ${shown}`}>
        <Conflicts />
        <OpenPicker />
        {[...modules].map(([id, { Dialogs }]) => Dialogs && <Dialogs key={id} projectId={projectId} />)}
        {shown === 'palette' && (
          <Suspense fallback={<TypeAhead />}>
            <Palette onClose={closeOverlay} />
          </Suspense>
        )}
        <Suspense>
          {shown === 'shortcuts' && <ShortcutSheet onClose={closeOverlay} />}
          {shown === 'undo-list' && <UndoList onClose={closeOverlay} />}
          {shown === 'places' && <Places onClose={closeOverlay} />}
          {isAsked && <Asking />}
          {shown === 'sign-out' && <SignOutDialog onClose={closeOverlay} />}
        </Suspense>
      </OverlayBoundary>
    </div>
  )
}

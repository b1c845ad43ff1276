import { createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { connection } from '../lib/connection.ts'
import { navigateBy } from '../lib/navigate.ts'
import { loadKindsBy } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { lastProject, project, root, signedIn } from '../lib/routes.ts'
import { parseSearch, stringifySearch } from '../lib/search-params.ts'
import { isKeptSession, sessionQuery } from '../lib/session.ts'
import { membersQuery } from '../people/members.ts'
import { connectApp, invite, signIn } from '../sign-in/routes.ts'
import { ErrorScreen, NotFoundScreen } from '../ui/ErrorScreen.tsx'
import { HOME, moduleOf, moduleRoutes } from './find-module.ts'
import { loadModule, loadWrites } from './loaded-modules.ts'
import { personalRoutes } from './modules.ts'

root.update({ component: Outlet, errorComponent: ErrorScreen, notFoundComponent: NotFoundScreen })
project.update({
  component: lazyRouteComponent(() => import('./frame/Frame.tsx'), 'Frame'),
  notFoundComponent: NotFoundScreen,
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context }) => {
    const last = lastProject(context.session)
    if (last) throw redirect({ to: `/p/$projectId/${HOME.path}`, params: { projectId: last.id } })
  },
  component: lazyRouteComponent(() => import('./NoProject.tsx'), 'NoProject'),
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: `/p/$projectId/${HOME.path}`, params })
  },
})

function prefetch(projectId: string, page: string): void {
  // Says who is an agent, so that their pictures are square on every screen.
  void queryClient.prefetchQuery(membersQuery(projectId))
  // The page says so if its code cannot be loaded.
  loadModule((moduleOf(page) ?? HOME).id).catch(() => {})
}

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invite,
    signedIn.addChildren([home, connectApp, ...personalRoutes, project.addChildren([projectHome, ...moduleRoutes])]),
  ]),
  context: { prefetch },
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorScreen,
  parseSearch,
  stringifySearch,
  scrollRestoration: false,
})

navigateBy((href) => router.history.push(href))
loadKindsBy(loadWrites)

// Once the server is back, it says who is signed in.
connection.subscribe(() => {
  if (!connection.get().isOnline || !isKeptSession()) return
  queryClient.removeQueries(sessionQuery)
  void router.invalidate()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { documentRoutes } from '../documents/routes.ts'
import { ownPath } from '../lib/addresses.ts'
import { connection } from '../lib/connection.ts'
import { queryClient } from '../lib/query-client.ts'
import { project, root, signedIn } from '../lib/routes.ts'
import { parseSearch, stringifySearch } from '../lib/search-params.ts'
import { isKeptSession, type Session, sessionQuery } from '../lib/session.ts'
import { remembered } from '../lib/storage.ts'
import { settingsRoutes } from '../settings/routes.ts'
import { ErrorScreen } from '../ui/ErrorScreen.tsx'
import { prefetchRows } from '../work-orders/api.ts'
import { readWorkOrderSearch } from '../work-orders/search.ts'

/** Why the identity provider sent the browser back. */
const readError = ({ error }: Record<string, unknown>): { error?: string } =>
  typeof error === 'string' ? { error } : {}

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  validateSearch: readError,
  component: lazyRouteComponent(() => import('../sign-in/Invite.tsx'), 'Invite'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string; error?: string } => {
    const next = ownPath(search.next)
    return { ...(next && { next }), ...readError(search) }
  },
  component: lazyRouteComponent(() => import('../sign-in/SignIn.tsx'), 'SignIn'),
})

/** Where a program sends the browser to ask for access. Its query is read as it is. */
const connectApp = createRoute({
  getParentRoute: () => signedIn,
  path: '/connect-app',
  component: lazyRouteComponent(() => import('../sign-in/ConnectApp.tsx'), 'ConnectApp'),
})

const lastProject = ({ projects }: Session) => projects.find((one) => one.id === remembered('project')) ?? projects[0]

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context }) => {
    const last = lastProject(context.session)
    if (last) throw redirect({ to: '/p/$projectId/work-orders', params: { projectId: last.id } })
  },
  component: lazyRouteComponent(() => import('./NoProject.tsx'), 'NoProject'),
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$projectId/work-orders', params })
  },
})

const workOrders = createRoute({
  getParentRoute: () => project,
  path: 'work-orders',
  validateSearch: readWorkOrderSearch,
  // The rows are on their way while the code is loaded. Pointing at a link loads none.
  loader: ({ params, preload }) => {
    if (!preload) prefetchRows(params.projectId)
  },
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('../work-orders/WorkOrdersPage.tsx'), 'WorkOrdersPage'),
})

const workOrder = createRoute({
  getParentRoute: () => project,
  path: 'work-orders/$number',
  component: lazyRouteComponent(() => import('../work-orders/detail/WorkOrderPage.tsx'), 'WorkOrderPage'),
})

/** The address that does not depend on a project. */
const anyAccount = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/account',
  beforeLoad: ({ context }) => {
    const last = lastProject(context.session)
    if (last) throw redirect({ to: '/p/$projectId/settings/account', params: { projectId: last.id } })
  },
  component: lazyRouteComponent(() => import('../settings/AccountPage.tsx'), 'BareAccountPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invite,
    signedIn.addChildren([
      home,
      connectApp,
      anyAccount,
      project.addChildren([projectHome, ...documentRoutes, workOrders, workOrder, ...settingsRoutes]),
    ]),
  ]),
  context: { queryClient },
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorScreen,
  parseSearch,
  stringifySearch,
  scrollRestoration: false,
})

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

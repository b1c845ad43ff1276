import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { askForState } from '../documents/editor/stored-state.ts'
import { readTextSearch } from '../documents/search/text-search.ts'
import { SlipwayError } from '../lib/client.ts'
import { connection } from '../lib/connection.ts'
import { queryClient } from '../lib/query-client.ts'
import { isKeptSession, type Session, sessionQuery } from '../lib/session.ts'
import { remembered } from '../lib/storage.ts'
import { prefetchProject, prefetchRows } from '../work-orders/api.ts'
import { readWorkOrderSearch } from '../work-orders/search.ts'
import { ErrorScreen, NotFoundScreen } from './ErrorScreen.tsx'
import { parseSearch, stringifySearch } from './search-params.ts'

const root = createRootRouteWithContext<{ queryClient: typeof queryClient }>()({
  component: Outlet,
  errorComponent: ErrorScreen,
  notFoundComponent: NotFoundScreen,
})

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
  validateSearch: (search: Record<string, unknown>): { next?: string; error?: string } => ({
    ...(typeof search.next === 'string' && /^\/(?!\/)/.test(search.next) && { next: search.next }),
    ...readError(search),
  }),
  component: lazyRouteComponent(() => import('../sign-in/SignIn.tsx'), 'SignIn'),
})

/** Everything behind the sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    try {
      return { session: await queryClient.ensureQueryData(sessionQuery) }
    } catch (err) {
      if (!(err instanceof SlipwayError) || err.status !== 401) throw err
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } })
    }
  },
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

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$projectId',
  beforeLoad: ({ context, params }) => {
    const found = context.session.projects.find((one) => one.id === params.projectId)
    if (!found) throw noSuchProject()
    return { project: found }
  },
  // The data is on its way while the code of the screens is still being loaded.
  loader: ({ params }) => prefetchProject(params.projectId),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('./Frame.tsx'), 'Frame'),
  notFoundComponent: NotFoundScreen,
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
  loader: ({ params }) => prefetchRows(params.projectId),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('../work-orders/WorkOrdersPage.tsx'), 'WorkOrdersPage'),
})

const workOrder = createRoute({
  getParentRoute: () => project,
  path: 'work-orders/$number',
  loader: ({ params }) => prefetchRows(params.projectId),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('../work-orders/detail/WorkOrderPage.tsx'), 'WorkOrderPage'),
})

const requirements = createRoute({
  getParentRoute: () => project,
  path: 'requirements',
  component: lazyRouteComponent(() => import('../documents/ModulePage.tsx'), 'RequirementsPage'),
})

/** The line of the stored text to go to. */
const readLine = ({ line }: Record<string, unknown>): { line?: string } =>
  typeof line === 'string' && /^[1-9]\d{0,8}$/.test(line) ? { line } : {}

const requirementsSearch = createRoute({
  getParentRoute: () => project,
  path: 'requirements/search',
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => import('../documents/search/SearchPage.tsx'), 'RequirementsSearchPage'),
})

const blueprintsSearch = createRoute({
  getParentRoute: () => project,
  path: 'blueprints/search',
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => import('../documents/search/SearchPage.tsx'), 'BlueprintsSearchPage'),
})

const requirement = createRoute({
  getParentRoute: () => project,
  path: 'requirements/$documentId',
  validateSearch: readLine,
  beforeLoad: ({ cause, preload, params }) => {
    if (cause === 'enter' && !preload) askForState(params.projectId, 'requirements', params.documentId)
  },
  component: lazyRouteComponent(() => import('../documents/page/DocumentPage.tsx'), 'RequirementPage'),
})

const blueprints = createRoute({
  getParentRoute: () => project,
  path: 'blueprints',
  component: lazyRouteComponent(() => import('../documents/ModulePage.tsx'), 'BlueprintsPage'),
})

const blueprint = createRoute({
  getParentRoute: () => project,
  path: 'blueprints/$documentId',
  validateSearch: readLine,
  beforeLoad: ({ cause, preload, params }) => {
    if (cause === 'enter' && !preload) askForState(params.projectId, 'blueprints', params.documentId)
  },
  component: lazyRouteComponent(() => import('../documents/page/DocumentPage.tsx'), 'BlueprintPage'),
})

/** The versions that are compared. */
const readVersions = (raw: Record<string, unknown>): { a?: string | undefined; b?: string | undefined } =>
  Object.fromEntries(
    ['a', 'b'].flatMap((name) => (/^[1-9]\d{0,8}$/.test(String(raw[name])) ? [[name, raw[name]]] : [])),
  )

const requirementHistory = createRoute({
  getParentRoute: () => project,
  path: 'requirements/$documentId/history',
  validateSearch: readVersions,
  component: lazyRouteComponent(() => import('../documents/history/HistoryPage.tsx'), 'RequirementHistory'),
})

const blueprintHistory = createRoute({
  getParentRoute: () => project,
  path: 'blueprints/$documentId/history',
  validateSearch: readVersions,
  component: lazyRouteComponent(() => import('../documents/history/HistoryPage.tsx'), 'BlueprintHistory'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: 'settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$projectId/settings/members', params })
  },
})

const general = createRoute({
  getParentRoute: () => project,
  path: 'settings/general',
  component: lazyRouteComponent(() => import('../settings/GeneralPage.tsx'), 'GeneralPage'),
})

const members = createRoute({
  getParentRoute: () => project,
  path: 'settings/members',
  component: lazyRouteComponent(() => import('../settings/MembersPage.tsx'), 'MembersPage'),
})

const keys = createRoute({
  getParentRoute: () => project,
  path: 'settings/keys',
  component: lazyRouteComponent(() => import('../settings/KeysPage.tsx'), 'KeysPage'),
})

const transfers = createRoute({
  getParentRoute: () => project,
  path: 'settings/transfers',
  component: lazyRouteComponent(() => import('../settings/transfers/TransfersPage.tsx'), 'TransfersPage'),
})

const webhooks = createRoute({
  getParentRoute: () => project,
  path: 'settings/webhooks',
  component: lazyRouteComponent(() => import('../settings/hooks/WebhooksPage.tsx'), 'WebhooksPage'),
})

const codeHosts = createRoute({
  getParentRoute: () => project,
  path: 'settings/code-hosts',
  component: lazyRouteComponent(() => import('../settings/hooks/CodeHostsPage.tsx'), 'CodeHostsPage'),
})

const account = createRoute({
  getParentRoute: () => project,
  path: 'settings/account',
  component: lazyRouteComponent(() => import('../settings/AccountPage.tsx'), 'AccountPage'),
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

const noSuchProject = () =>
  new SlipwayError({
    status: 404,
    code: 'not_found',
    detail: 'There is no such project, or you are not a member of it.',
  })

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    invite,
    signedIn.addChildren([
      home,
      connectApp,
      anyAccount,
      project.addChildren([
        projectHome,
        requirements,
        requirementsSearch,
        requirement,
        requirementHistory,
        blueprints,
        blueprintsSearch,
        blueprint,
        blueprintHistory,
        workOrders,
        workOrder,
        settings,
        general,
        members,
        keys,
        transfers,
        webhooks,
        codeHosts,
        account,
      ]),
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

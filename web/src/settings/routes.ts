import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { lastProject, project, signedIn } from '../lib/routes.ts'

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
  component: lazyRouteComponent(() => import('./GeneralPage.tsx'), 'GeneralPage'),
})

const members = createRoute({
  getParentRoute: () => project,
  path: 'settings/members',
  component: lazyRouteComponent(() => import('./MembersPage.tsx'), 'MembersPage'),
})

const keys = createRoute({
  getParentRoute: () => project,
  path: 'settings/keys',
  component: lazyRouteComponent(() => import('./KeysPage.tsx'), 'KeysPage'),
})

const agents = createRoute({
  getParentRoute: () => project,
  path: 'settings/agents',
  component: lazyRouteComponent(() => import('./agents/AgentsPage.tsx'), 'AgentsPage'),
})

const models = createRoute({
  getParentRoute: () => project,
  path: 'settings/models',
  component: lazyRouteComponent(() => import('./models/ModelsPage.tsx'), 'ModelsPage'),
})

const integrations = createRoute({
  getParentRoute: () => project,
  path: 'settings/integrations',
  component: lazyRouteComponent(() => import('./integrations/IntegrationsPage.tsx'), 'IntegrationsPage'),
})

const transfers = createRoute({
  getParentRoute: () => project,
  path: 'settings/transfers',
  component: lazyRouteComponent(() => import('./transfers/TransfersPage.tsx'), 'TransfersPage'),
})

const webhooks = createRoute({
  getParentRoute: () => project,
  path: 'settings/webhooks',
  component: lazyRouteComponent(() => import('./hooks/WebhooksPage.tsx'), 'WebhooksPage'),
})

const codeHosts = createRoute({
  getParentRoute: () => project,
  path: 'settings/code-hosts',
  component: lazyRouteComponent(() => import('./hooks/CodeHostsPage.tsx'), 'CodeHostsPage'),
})

const account = createRoute({
  getParentRoute: () => project,
  path: 'settings/account',
  component: lazyRouteComponent(() => import('./AccountPage.tsx'), 'AccountPage'),
})

/** The address that does not depend on a project. */
export const ownAccount = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/account',
  beforeLoad: ({ context }) => {
    const last = lastProject(context.session)
    if (last) throw redirect({ to: '/p/$projectId/settings/account', params: { projectId: last.id } })
  },
  component: lazyRouteComponent(() => import('./AccountPage.tsx'), 'BareAccountPage'),
})

export const settingsRoutes = [
  settings,
  general,
  members,
  keys,
  agents,
  models,
  integrations,
  transfers,
  webhooks,
  codeHosts,
  account,
] as const

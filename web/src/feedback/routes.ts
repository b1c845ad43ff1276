import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../lib/routes.ts'
import { readInboxSearch } from './search.ts'
import { readThemeSearch } from './themes/search.ts'

/** One page for both addresses, so that the list stays as it is while its items are opened. */
const inbox = createRoute({
  getParentRoute: () => project,
  id: 'inbox',
  validateSearch: readInboxSearch,
  component: lazyRouteComponent(() => import('./inbox/InboxPage.tsx'), 'InboxPage'),
})

const list = createRoute({ getParentRoute: () => inbox, path: 'feedback' })
const item = createRoute({ getParentRoute: () => inbox, path: 'feedback/$number' })

const themes = createRoute({
  getParentRoute: () => project,
  path: 'feedback/themes',
  validateSearch: readThemeSearch,
  component: lazyRouteComponent(() => import('./themes/ThemesPage.tsx'), 'ThemesPage'),
})

const theme = createRoute({
  getParentRoute: () => project,
  path: 'feedback/themes/$number',
  component: lazyRouteComponent(() => import('./themes/ThemePage.tsx'), 'ThemePage'),
})

const connect = createRoute({
  getParentRoute: () => project,
  path: 'feedback/connect',
  component: lazyRouteComponent(() => import('./connect/ConnectPage.tsx'), 'ConnectPage'),
})

export const feedbackRoutes = [inbox.addChildren([list, item]), themes, theme, connect] as const

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../lib/routes.ts'
import { readListSearch, readNewSearch, readRunSearch } from './search.ts'

const list = createRoute({
  getParentRoute: () => project,
  path: 'automations',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./list/AutomationsPage.tsx'), 'AutomationsPage'),
})

const create = createRoute({
  getParentRoute: () => project,
  path: 'automations/new',
  validateSearch: readNewSearch,
  component: lazyRouteComponent(() => import('./editor/EditorPage.tsx'), 'NewAutomationPage'),
})

const edit = createRoute({
  getParentRoute: () => project,
  path: 'automations/$automationId',
  component: lazyRouteComponent(() => import('./editor/EditorPage.tsx'), 'EditorPage'),
})

/** One page for both addresses, so that the list stays as it is while its runs are opened. */
const runs = createRoute({
  getParentRoute: () => project,
  id: 'runs',
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import('./runs/RunsPage.tsx'), 'RunsPage'),
})
const allRuns = createRoute({ getParentRoute: () => runs, path: 'automations/runs' })
const run = createRoute({ getParentRoute: () => runs, path: 'automations/runs/$runId' })

export const automationRoutes = [list, create, edit, runs.addChildren([allRuns, run])] as const

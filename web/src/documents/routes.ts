import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { askForState } from '../editor/stored-state.ts'
import { readVersions } from '../history/search.ts'
import { project } from '../lib/routes.ts'
import type { Kind } from './kind.ts'
import { readTextSearch } from './search/text-search.ts'

const requirements = createRoute({
  getParentRoute: () => project,
  path: 'requirements',
  component: lazyRouteComponent(() => import('./ModulePage.tsx'), 'RequirementsPage'),
})

/** The line of the stored text to go to. */
const readLine = ({ line }: Record<string, unknown>): { line?: string } =>
  typeof line === 'string' && /^[1-9]\d{0,8}$/.test(line) ? { line } : {}

const requirementsSearch = createRoute({
  getParentRoute: () => project,
  path: 'requirements/search',
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => import('./search/SearchPage.tsx'), 'RequirementsSearchPage'),
})

const blueprintsSearch = createRoute({
  getParentRoute: () => project,
  path: 'blueprints/search',
  validateSearch: readTextSearch,
  component: lazyRouteComponent(() => import('./search/SearchPage.tsx'), 'BlueprintsSearchPage'),
})

interface Entered {
  cause: 'preload' | 'enter' | 'stay'
  preload: boolean
  params: { projectId: string; documentId: string }
}

/** The text is on its way while the code of the editor is still being loaded. */
const askFor =
  (kind: Kind) =>
  ({ cause, preload, params }: Entered) => {
    if (cause === 'enter' && !preload) askForState({ projectId: params.projectId, path: kind, id: params.documentId })
  }

const requirement = createRoute({
  getParentRoute: () => project,
  path: 'requirements/$documentId',
  validateSearch: readLine,
  beforeLoad: askFor('requirements'),
  component: lazyRouteComponent(() => import('./page/DocumentPage.tsx'), 'RequirementPage'),
})

const blueprints = createRoute({
  getParentRoute: () => project,
  path: 'blueprints',
  component: lazyRouteComponent(() => import('./ModulePage.tsx'), 'BlueprintsPage'),
})

const blueprint = createRoute({
  getParentRoute: () => project,
  path: 'blueprints/$documentId',
  validateSearch: readLine,
  beforeLoad: askFor('blueprints'),
  component: lazyRouteComponent(() => import('./page/DocumentPage.tsx'), 'BlueprintPage'),
})

const requirementHistory = createRoute({
  getParentRoute: () => project,
  path: 'requirements/$documentId/history',
  validateSearch: readVersions,
  component: lazyRouteComponent(() => import('./history/HistoryPage.tsx'), 'RequirementHistory'),
})

const blueprintHistory = createRoute({
  getParentRoute: () => project,
  path: 'blueprints/$documentId/history',
  validateSearch: readVersions,
  component: lazyRouteComponent(() => import('./history/HistoryPage.tsx'), 'BlueprintHistory'),
})

export const requirementRoutes = [requirements, requirementsSearch, requirement, requirementHistory] as const
export const blueprintRoutes = [blueprints, blueprintsSearch, blueprint, blueprintHistory] as const

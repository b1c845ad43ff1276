import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readVersions } from '../history/search.ts'
import { project } from '../lib/routes.ts'
import { readKnowledgeSearch } from './search.ts'

const root = createRoute({
  getParentRoute: () => project,
  path: 'knowledge-base',
  validateSearch: readKnowledgeSearch,
  component: lazyRouteComponent(() => import('./KnowledgeBasePage.tsx'), 'RootPage'),
})

const trash = createRoute({
  getParentRoute: () => project,
  path: 'knowledge-base/trash',
  component: lazyRouteComponent(() => import('./trash/TrashPage.tsx'), 'TrashPage'),
})

/** A folder, a document or a file. */
const artifact = createRoute({
  getParentRoute: () => project,
  path: 'knowledge-base/$artifactId',
  validateSearch: readKnowledgeSearch,
  component: lazyRouteComponent(() => import('./KnowledgeBasePage.tsx'), 'ArtifactPage'),
})

const history = createRoute({
  getParentRoute: () => project,
  path: 'knowledge-base/$artifactId/history',
  validateSearch: readVersions,
  component: lazyRouteComponent(() => import('./detail/HistoryPage.tsx'), 'HistoryPage'),
})

export const knowledgeBaseRoutes = [root, trash, artifact, history] as const

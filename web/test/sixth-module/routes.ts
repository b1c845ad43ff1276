import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../../src/lib/routes.ts'

const berths = createRoute({
  getParentRoute: () => project,
  path: 'berths',
  component: lazyRouteComponent(() => import('./BerthsPage.tsx'), 'BerthsPage'),
})

export const berthRoutes = [berths] as const

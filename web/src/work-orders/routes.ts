import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../lib/routes.ts'
import { readWorkOrderSearch } from './search.ts'

/** The data is on its way while the code of the screen is still being loaded. */
const prefetch = async (projectId: string) => {
  const { prefetchRows } = await import('./api.ts')
  prefetchRows(projectId)
}

const workOrders = createRoute({
  getParentRoute: () => project,
  path: 'work-orders',
  validateSearch: readWorkOrderSearch,
  // Pointing at a link loads none of them.
  loader: ({ params, preload }) => (preload ? undefined : prefetch(params.projectId)),
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyRouteComponent(() => import('./WorkOrdersPage.tsx'), 'WorkOrdersPage'),
})

const workOrder = createRoute({
  getParentRoute: () => project,
  path: 'work-orders/$number',
  component: lazyRouteComponent(() => import('./detail/WorkOrderPage.tsx'), 'WorkOrderPage'),
})

export const workOrderRoutes = [workOrders, workOrder] as const

import { createRootRouteWithContext, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router'
import { ErrorScreen, NotFoundScreen } from '../ui/ErrorScreen.tsx'
import { prefetchProject } from '../work-orders/api.ts'
import { SlipwayError } from './client.ts'
import { setStorageOwner } from './own-storage.ts'
import { queryClient } from './query-client.ts'
import { sessionQuery } from './session.ts'

export const root = createRootRouteWithContext<{ queryClient: typeof queryClient }>()({
  component: Outlet,
  errorComponent: ErrorScreen,
  notFoundComponent: NotFoundScreen,
})

/** Everything behind the sign-in. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    try {
      const session = await queryClient.ensureQueryData(sessionQuery)
      setStorageOwner(session.user.id)
      return { session }
    } catch (err) {
      if (!(err instanceof SlipwayError) || err.status !== 401) throw err
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } })
    }
  },
})

export const project = createRoute({
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
  component: lazyRouteComponent(() => import('../app/frame/Frame.tsx'), 'Frame'),
  notFoundComponent: NotFoundScreen,
})

const noSuchProject = () =>
  new SlipwayError({
    status: 404,
    code: 'not_found',
    detail: 'There is no such project, or you are not a member of it.',
  })

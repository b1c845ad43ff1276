import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router'
import { SlipwayError } from './client.ts'
import { setStorageOwner } from './own-storage.ts'
import { beginAt } from './positions.ts'
import { queryClient } from './query-client.ts'
import { type Session, sessionQuery } from './session.ts'
import { remembered } from './storage.ts'

/*
 * The routes that those of the modules are below. What they show is the frame's, which `app/router.tsx` adds.
 */

interface Context {
  /** Asks for what every screen of a project needs, while the code of the screens is still being loaded. */
  prefetch(projectId: string, page: string): void
}

export const root = createRootRouteWithContext<Context>()({})

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
    beginAt(found.id, context.session.position)
    return { project: found }
  },
  loader: ({ context, params, location }) => context.prefetch(params.projectId, location.pathname),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The project that was open last. */
export const lastProject = ({ projects }: Session) =>
  projects.find((one) => one.id === remembered('project')) ?? projects[0]

const noSuchProject = () =>
  new SlipwayError({
    status: 404,
    code: 'not_found',
    detail: 'There is no such project, or you are not a member of it.',
  })

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { ownPath } from '../lib/addresses.ts'
import { root, signedIn } from '../lib/routes.ts'

/** Why the identity provider sent the browser back. */
const readError = ({ error }: Record<string, unknown>): { error?: string } =>
  typeof error === 'string' ? { error } : {}

export const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite/$token',
  validateSearch: readError,
  component: lazyRouteComponent(() => import('./Invite.tsx'), 'Invite'),
})

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string; error?: string } => {
    const next = ownPath(search.next)
    return { ...(next && { next }), ...readError(search) }
  },
  component: lazyRouteComponent(() => import('./SignIn.tsx'), 'SignIn'),
})

/** Where a program sends the browser to ask for access. Its query is read as it is. */
export const connectApp = createRoute({
  getParentRoute: () => signedIn,
  path: '/connect-app',
  component: lazyRouteComponent(() => import('./ConnectApp.tsx'), 'ConnectApp'),
})

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { project } from '../lib/routes.ts'
import { readConversationSearch } from './search.ts'

/** One page for all addresses, so that the list stays as it is while conversations are opened. */
const talks = createRoute({
  getParentRoute: () => project,
  id: 'talks',
  validateSearch: readConversationSearch,
  component: lazyRouteComponent(() => import('./ConversationsPage.tsx'), 'ConversationsPage'),
})

const list = createRoute({ getParentRoute: () => talks, path: 'conversations' })
/** `new` is one that has not begun. */
const one = createRoute({ getParentRoute: () => talks, path: 'conversations/$conversationId' })

export const conversationRoutes = [talks.addChildren([list, one])] as const

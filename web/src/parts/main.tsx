import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { Providers } from '../app/Providers.tsx'
import { setStorageOwner } from '../lib/own-storage.ts'
import { PartsPage } from './PartsPage.tsx'

/*
 * All shared parts in all their states, for those who build screens. The page asks the server for nothing, and no
 * installation has it: the build leaves `parts.html` out.
 */

const root = createRootRoute()
// Parts of the frame read who is signed in, and the open project, from the routes of these names.
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: () => ({
    session: {
      user: { id: 'ada', email: 'ada@harbor.example', display_name: 'Ada Lovelace' },
      projects: [
        { id: 'harbor', name: 'Harbor Checkout', role: 'admin' },
        { id: 'quay', name: 'Quay with a name that is far too long for the sidebar', role: 'viewer' },
      ],
    },
  }),
})
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$projectId',
  beforeLoad: ({ context }) => ({ project: context.session.projects[0]! }),
  component: PartsPage,
})
const router = createRouter({
  routeTree: root.addChildren([signedIn.addChildren([project])]),
  history: createMemoryHistory({ initialEntries: ['/p/harbor'] }),
})

// Drafts are kept for a person.
setStorageOwner('ada')
createRoot(document.getElementById('root')!).render(
  <Providers>
    {/* The type of the router is that of the app. */}
    <RouterProvider router={router as never} />
  </Providers>,
)

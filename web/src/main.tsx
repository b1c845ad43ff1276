import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { Providers } from './app/Providers.tsx'
import { router } from './app/router.tsx'
import { watchLeaving } from './lib/client.ts'
import { keepShell } from './lib/offline-shell.ts'

watchLeaving()
createRoot(document.getElementById('root')!).render(
  <Providers>
    <RouterProvider router={router} />
  </Providers>,
)

addEventListener('load', () => void keepShell())

import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

const FolderTree = lazy(async () => ({ default: (await import('./tree/FolderTree.tsx')).FolderTree }))

export function Sidebar() {
  return (
    // The page beside it says what is wrong.
    <CatchBoundary getResetKey={() => 'folders'} errorComponent={() => null}>
      <Suspense>
        <FolderTree />
      </Suspense>
    </CatchBoundary>
  )
}

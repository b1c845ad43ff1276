import { CatchBoundary } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Kind } from './kind.ts'

const DocumentTree = lazy(async () => ({ default: (await import('./tree/DocumentTree.tsx')).DocumentTree }))

export function SidebarTree({ kind }: { kind: Kind }) {
  return (
    // The page beside it says what is wrong.
    <CatchBoundary getResetKey={() => kind} errorComponent={() => null}>
      <Suspense>
        <DocumentTree key={kind} kind={kind} />
      </Suspense>
    </CatchBoundary>
  )
}

import { lazy, Suspense } from 'react'
import { useStore } from '../lib/store.ts'
import { batchOutcome } from './edits.ts'
import { isManagingLabels } from './labels/edits.ts'
import { namedView } from './views/saved-views.ts'

const loaders = [
  () => import('./batch/BatchResult.tsx'),
  () => import('./labels/ManageLabels.tsx'),
  () => import('./views/NameView.tsx'),
] as const
const [BatchResult, ManageLabels, NameView] = [lazy(loaders[0]), lazy(loaders[1]), lazy(loaders[2])]

/** Loads what the first screen does not need, so that it opens at once. */
export const loadWorkOrderDialogs = () => Promise.all(loaders.map((load) => load()))

/** The dialogs that any screen with work orders may open. */
export function WorkOrderDialogs({ projectId }: { projectId: string }) {
  const outcome = useStore(batchOutcome)
  const named = useStore(namedView)
  const labels = useStore(isManagingLabels)
  return (
    <Suspense>
      {outcome && <BatchResult outcome={outcome} />}
      {labels && <ManageLabels projectId={projectId} />}
      {named && <NameView key={'view' in named ? named.view.id : 'new'} open={named} projectId={projectId} />}
    </Suspense>
  )
}

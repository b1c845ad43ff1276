import { lazy, Suspense } from 'react'
import { useStore } from '../lib/store.ts'
import { closeCreate, creating } from './create/open-create.ts'
import { batchOutcome } from './edits.ts'
import { isManagingLabels } from './labels/edits.ts'
import { namedView } from './views/saved-views.ts'

const loaders = [
  () => import('./batch/BatchResult.tsx'),
  () => import('./labels/ManageLabels.tsx'),
  () => import('./views/NameView.tsx'),
  () => import('./create/CreateDialog.tsx'),
] as const
const BatchResult = lazy(loaders[0])
const ManageLabels = lazy(loaders[1])
const NameView = lazy(loaders[2])
const CreateDialog = lazy(loaders[3])

/** Loads what the first screen does not need, so that it opens at once. */
export const loadWorkOrderDialogs = () => Promise.all(loaders.map((load) => load()))

/** The dialogs that any screen may open. */
export function WorkOrderDialogs({ projectId }: { projectId: string }) {
  const outcome = useStore(batchOutcome)
  const named = useStore(namedView)
  const labels = useStore(isManagingLabels)
  const preset = useStore(creating)
  return (
    <Suspense>
      {preset && <CreateDialog preset={preset} onClose={closeCreate} />}
      {outcome && <BatchResult outcome={outcome} />}
      {labels && <ManageLabels projectId={projectId} />}
      {named && <NameView key={'view' in named ? named.view.id : 'new'} open={named} projectId={projectId} />}
    </Suspense>
  )
}

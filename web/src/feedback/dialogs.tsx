import { lazy, Suspense } from 'react'
import { useStore } from '../lib/store.ts'
import { closeDialog, openedDialog } from './inbox/open-dialogs.ts'

const ByHandDialog = lazy(() => import('./inbox/ByHandDialog.tsx'))
const NewThemeDialog = lazy(() => import('./inbox/NewThemeDialog.tsx'))

/** The dialogs of the module, above whichever page is open. */
export function FeedbackDialogs({ projectId }: { projectId: string }) {
  const opened = useStore(openedDialog)
  if (!opened) return null
  return (
    <Suspense fallback={null}>
      {opened.kind === 'by-hand' ? (
        <ByHandDialog projectId={projectId} onClose={closeDialog} />
      ) : (
        <NewThemeDialog projectId={projectId} preset={opened} onClose={closeDialog} />
      )}
    </Suspense>
  )
}

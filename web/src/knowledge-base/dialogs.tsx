import { useRouteContext } from '@tanstack/react-router'
import { useEffect } from 'react'
import { UploadTray } from './uploads/UploadTray.tsx'
import { resumeUploads } from './uploads/uploads.ts'

/** Uploads go on whichever page is open. */
export function KnowledgeBaseDialogs({ projectId }: { projectId: string }) {
  const { session } = useRouteContext({ from: '/signed-in/p/$projectId' })
  useEffect(() => void resumeUploads(session.user.id), [session.user.id])
  return <UploadTray projectId={projectId} />
}

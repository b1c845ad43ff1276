import { useEffect, useState } from 'react'
import { type LiveDocument, openLive, release, type Subject } from './live-document.ts'

/** The shared document of a text, for as long as a screen shows it. */
export function useLive({ projectId, path, resource, id }: Subject, userId: string): LiveDocument | undefined {
  const [live, setLive] = useState<{ id: string; live: LiveDocument }>()
  useEffect(() => {
    const subject = { projectId, path, resource, id }
    setLive({ id, live: openLive(subject, userId) })
    return () => release(subject)
  }, [projectId, path, resource, id, userId])
  return live?.id === id ? live.live : undefined
}

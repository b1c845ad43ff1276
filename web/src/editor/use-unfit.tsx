import { type ReactNode, useMemo } from 'react'
import { useStore } from '../lib/store.ts'
import { fitsEditor } from './fits.ts'
import type { LiveDocument } from './live-document.ts'
import { Notice } from './Notice.tsx'

/** Says that the editor cannot hold a text, which is then written as markdown. Undefined if it can. */
export function useUnfit(live: LiveDocument, isGone: boolean): ReactNode {
  const { isLoaded, ended } = useStore(live.status)
  const fits = useMemo(() => !isLoaded || fitsEditor(live), [isLoaded, live])
  // The server refuses a session if the text takes too long to convert.
  const isUnfit = !isGone && (!fits || (ended === 'refused' && !isLoaded))
  if (!isUnfit) return undefined
  return (
    <Notice>
      {fits
        ? 'The editor cannot open this document. Reload the page to try again, or edit the markdown here.'
        : 'This document is too long for the editor. Edit the markdown here.'}
    </Notice>
  )
}

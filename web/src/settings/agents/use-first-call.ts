import { useRef } from 'react'
import type { ConnectedAgent } from './api.ts'

/** The first agent of the person that makes its first call while the page is open. */
export function useFirstCall(agents: ConnectedAgent[] | undefined, myId: string): ConnectedAgent | undefined {
  // Those that had called before are not news.
  const called = useRef<ReadonlySet<string>>(undefined)
  if (!agents) return undefined
  called.current ??= new Set(agents.filter(({ last_call }) => last_call).map(({ id }) => id))
  return agents.find(
    ({ id, last_call, acts_as }) => last_call !== null && acts_as.id === myId && !called.current!.has(id),
  )
}

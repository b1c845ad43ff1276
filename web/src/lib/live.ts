import { useEffect } from 'react'
import { queryClient } from './query-client.ts'
import { createStore } from './store.ts'

export type LiveState = 'live' | 'connecting' | 'offline'
export const liveState = createStore<LiveState>('connecting')

export interface Change {
  id: string
  kind: string
  subject_type: string
  subject_id: string
  payload: Record<string, unknown>
}

type Listener = (change: Change, projectId: string) => void
const listeners = new Set<Listener>()

/** Adds what a module does when something of it changes. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Keeps one stream of changes open per tab. The browser connects again by itself and names the last event it saw. */
export function useLiveUpdates(projectId: string): void {
  useEffect(() => {
    liveState.set('connecting')
    const source = new EventSource(`/v2/app-api/stream?project_id=${encodeURIComponent(projectId)}`)
    let wasLive = false
    source.onopen = () => {
      liveState.set('live')
      // What changed while the connection was away may be too old for the stream.
      if (wasLive) void queryClient.invalidateQueries()
      wasLive = true
    }
    source.onerror = () => liveState.set(navigator.onLine ? 'connecting' : 'offline')
    source.addEventListener('change', (event) => {
      const change = JSON.parse(event.data) as Change
      for (const listener of listeners) listener(change, projectId)
    })
    const left = () => liveState.set('offline')
    addEventListener('offline', left)
    return () => {
      source.close()
      removeEventListener('offline', left)
    }
  }, [projectId])
}

import type { Change } from '@slipway/sdk'
import { useEffect } from 'react'
import { connection, setOnline } from './connection.ts'
import { isOwnRequest, TAB } from './ids.ts'
import { pageOf, people, tellPage } from './presence.ts'
import { queryClient } from './query-client.ts'
import { createStore } from './store.ts'
import { useStable } from './use-stable.ts'

export type { Change }
export type LiveState = 'live' | 'connecting' | 'offline'
export const liveState = createStore<LiveState>('connecting')

type Listener = (change: Change, projectId: string, isOwn: boolean) => void
const listeners = new Set<Listener>()
const REMEMBERED = 2_000
/** A server that restarts is back before anybody needs to know. */
const OFFLINE_AFTER_MS = 4_000

/** Adds what a module does when something changes. `isOwn`: this tab did it itself, and shows it already. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

let connect: (() => void) | undefined
/** Tries at once, without waiting for the browser to do so. */
export const connectAgain = () => connect?.()

/**
 * Keeps one stream of changes open per tab. The browser connects again by itself and names the last event it saw; the
 * server sends what was missed, or `reset` if that is too much.
 */
export function useLiveUpdates(projectId: string, refused: () => void): void {
  const on = useStable({ refused })
  useEffect(() => {
    let source: EventSource
    let lastId: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    // Resuming can repeat a change.
    const seen = new Set<string>()

    const stopTimer = () => {
      clearTimeout(timer)
      timer = undefined
    }
    connect = () => {
      stopTimer()
      source?.close()
      liveState.set(connection.get().isOnline ? 'connecting' : 'offline')
      const here = { project_id: projectId, tab: TAB, page: pageOf(location.pathname) }
      const query = new URLSearchParams({ ...here, ...(lastId ? { last_event_id: lastId } : {}) })
      source = new EventSource(`/v2/app-api/stream?${query}`)
      source.onopen = () => {
        stopTimer()
        liveState.set('live')
        setOnline(true)
      }
      source.onerror = () => {
        liveState.set(connection.get().isOnline ? 'connecting' : 'offline')
        if (source.readyState === EventSource.CLOSED) on.refused()
        // The browser tries again and again. The first failure counts.
        timer ??= setTimeout(lost, OFFLINE_AFTER_MS)
      }
      source.addEventListener('change', (event) => {
        lastId = event.lastEventId
        const change = JSON.parse(event.data) as Change
        if (seen.has(change.id)) return
        seen.add(change.id)
        if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!)
        for (const listener of listeners) listener(change, projectId, isOwnRequest(change.request_id))
      })
      source.addEventListener('presence', (event) => {
        people.set(JSON.parse(event.data))
        tellPage(projectId)
      })
      source.addEventListener('reset', (event) => {
        lastId = event.lastEventId
        void queryClient.invalidateQueries({ queryKey: [projectId] })
      })
    }
    // The browser gives up for good after an answer that is not a stream, such as that of a proxy.
    const lost = () => {
      timer = undefined
      setOnline(false)
      liveState.set('offline')
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(connectAgain, OFFLINE_AFTER_MS)
    }
    const left = () => liveState.set('offline')
    connect()
    addEventListener('offline', left)
    addEventListener('online', connectAgain)
    return () => {
      connect = undefined
      people.set({ people: [], total: 0 })
      stopTimer()
      source.close()
      removeEventListener('offline', left)
      removeEventListener('online', connectAgain)
    }
  }, [projectId, on])
}

import { useEffect } from 'react'
import { type Change, takeChange } from './changes.ts'
import { connection, setOnline } from './connection.ts'
import { standForLeader } from './lead.ts'
import { BROWSER, type Present, pageOf, people, tellPage, tellPageAgain } from './presence.ts'
import { queryClient } from './query-client.ts'
import { createStore } from './store.ts'
import { useStable } from './use-stable.ts'

export type LiveState = 'live' | 'connecting' | 'offline'
export const liveState = createStore<LiveState>('connecting')

/** A server that restarts is back before anybody needs to know. */
const OFFLINE_AFTER_MS = 4_000

/** What the tab that holds the stream tells the others, and what they ask it for. */
type Message =
  | { kind: 'change'; position: string; change: Change }
  | { kind: 'reset'; position: string }
  | { kind: 'position'; position: string }
  | { kind: 'people'; people: Present }
  | { kind: 'state'; state: LiveState }
  | { kind: 'ask' }
  | { kind: 'connect' }

let again: (() => void) | undefined
/** Tries at once, without waiting for the browser to do so. */
export const connectAgain = () => again?.()

/**
 * Follows what changes in a project. One tab of the browser holds the stream and passes on what it hears, because a
 * browser opens only six connections to a server over HTTP/1.1.
 */
export function useLiveUpdates(projectId: string, userId: string, refused: () => void): void {
  const on = useStable({ refused })
  useEffect(() => {
    const name = `slipway-live ${userId} ${projectId}`
    const channel = new BroadcastChannel(name)
    let position: string | undefined
    let stream: Stream | undefined

    function take(message: Message): void {
      if ('position' in message) position = message.position
      if (message.kind === 'state') {
        liveState.set(message.state)
        if (message.state !== 'connecting') setOnline(message.state === 'live')
        if (message.state === 'live') tellPageAgain(projectId)
      } else if (message.kind === 'people') {
        people.set(message.people)
        tellPage(projectId)
      } else if (message.kind === 'reset') void queryClient.invalidateQueries({ queryKey: [projectId] })
      else if (message.kind === 'change') takeChange(message.change, projectId)
    }

    const tell = (message: Message) => {
      take(message)
      channel.postMessage(message)
    }
    const answer = () => {
      if (position !== undefined) channel.postMessage({ kind: 'position', position } satisfies Message)
      channel.postMessage({ kind: 'state', state: liveState.get() } satisfies Message)
      channel.postMessage({ kind: 'people', people: people.get() } satisfies Message)
    }

    const standing = standForLeader(name, {
      ask: () => channel.postMessage({ kind: 'ask' } satisfies Message),
      lead() {
        stream = openStream(projectId, { position: () => position, tell, refused: on.refused })
        return () => {
          stream?.close()
          stream = undefined
        }
      },
    })
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'ask') return stream && answer()
      if (data.kind === 'connect') return stream?.connect()
      standing.heard()
      take(data)
    }
    again = () => (stream ? stream.connect() : channel.postMessage({ kind: 'connect' } satisfies Message))
    const left = () => liveState.set('offline')
    const returned = () => tellPageAgain(projectId)
    addEventListener('offline', left)
    addEventListener('focus', returned)
    addEventListener('online', connectAgain)
    return () => {
      again = undefined
      standing.stop()
      channel.close()
      people.set({ people: [], total: 0 })
      removeEventListener('offline', left)
      removeEventListener('focus', returned)
      removeEventListener('online', connectAgain)
    }
  }, [projectId, userId, on])
}

interface Stream {
  connect(): void
  close(): void
}

interface StreamOptions {
  /** Where the tabs of this browser have got to. */
  position(): string | undefined
  tell(message: Message): void
  refused(): void
}

/**
 * The browser connects again by itself and names the last event it saw; the server sends what was missed, or `reset` if
 * that is too much.
 */
function openStream(projectId: string, { position, tell, refused }: StreamOptions): Stream {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopTimer = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const tellWaiting = () => tell({ kind: 'state', state: connection.get().isOnline ? 'connecting' : 'offline' })

  function connect(): void {
    stopTimer()
    source?.close()
    tellWaiting()
    const last = position()
    const here = { project_id: projectId, tab: BROWSER, page: pageOf(location.pathname) }
    const query = new URLSearchParams({ ...here, ...(last ? { last_event_id: last } : {}) })
    source = new EventSource(`/v2/app-api/stream?${query}`)
    source.onopen = () => {
      stopTimer()
      tell({ kind: 'state', state: 'live' })
    }
    source.onerror = () => {
      tellWaiting()
      if (source?.readyState === EventSource.CLOSED) refused()
      // The browser tries again and again. The first failure counts.
      timer ??= setTimeout(lost, OFFLINE_AFTER_MS)
    }
    source.addEventListener('change', ({ data, lastEventId }) =>
      tell({ kind: 'change', position: lastEventId, change: JSON.parse(data) }),
    )
    source.addEventListener('presence', ({ data }) => tell({ kind: 'people', people: JSON.parse(data) }))
    source.addEventListener('position', ({ lastEventId }) => tell({ kind: 'position', position: lastEventId }))
    source.addEventListener('reset', ({ lastEventId }) => tell({ kind: 'reset', position: lastEventId }))
  }

  // The browser gives up for good after an answer that is not a stream, such as that of a proxy.
  function lost(): void {
    timer = undefined
    tell({ kind: 'state', state: 'offline' })
    if (source?.readyState === EventSource.CLOSED) timer = setTimeout(connect, OFFLINE_AFTER_MS)
  }

  connect()
  return {
    connect,
    close() {
      stopTimer()
      source?.close()
    },
  }
}

import type { Change } from './changes.ts'
import { connection } from './connection.ts'
import type { Present } from './presence.ts'

export type LiveState = 'live' | 'connecting' | 'offline'

/** What the stream says, and how it is. */
export type Told =
  | { kind: 'change'; position: string; change: Change }
  | { kind: 'reset'; position: string }
  | { kind: 'position'; position: string }
  | { kind: 'people'; people: Present }
  | { kind: 'state'; state: LiveState }

/** A server that restarts is back before anybody needs to know. */
const OFFLINE_AFTER_MS = 4_000

export interface Stream {
  connect(): void
  close(): void
}

interface StreamOptions {
  /** The project, and where in it the person is if others may know. */
  here(): { project_id: string; tab?: string; page?: string }
  /** The last event that was heard. */
  position(): string | undefined
  tell(message: Told): void
  refused(): void
}

/**
 * The browser connects again by itself and names the last event it saw; the server sends what was missed, or `reset` if
 * that is too much.
 */
export function openStream({ here, position, tell, refused }: StreamOptions): Stream {
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
    const query = new URLSearchParams({ ...here(), ...(last ? { last_event_id: last } : {}) })
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

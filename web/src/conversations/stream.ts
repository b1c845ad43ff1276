import { useEffect } from 'react'
import { standForLeader } from '../lib/lead.ts'
import { queryClient } from '../lib/query-client.ts'
import { createStore, type Store } from '../lib/store.ts'
import { addEntry, type Entry, rowsKey, transcriptKey } from './api.ts'

/** What the tab that holds the stream tells the others, and what they ask it for. */
type Message = { kind: 'ask' } | { kind: 'saying'; text: string } | { kind: 'entry'; entry: Entry } | { kind: 'end' }

const AGAIN_MS = 2_000
const sayings = new Map<string, Store<string>>()

/** What the agent of a conversation is saying right now. */
export function sayingOf(id: string): Store<string> {
  const known = sayings.get(id) ?? createStore('')
  sayings.set(id, known)
  return known
}

/**
 * Follows a conversation while its agent answers. One tab of the browser holds the stream and passes on what it hears, as
 * with the stream of changes.
 */
export function useStream(projectId: string, id: string, turnStartedAt: string | null, lastNumber: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream itself goes on from where it was opened.
  useEffect(() => {
    if (turnStartedAt === null) return
    const saying = sayingOf(id)
    const channel = new BroadcastChannel(`slipway-talk ${projectId} ${id}`)
    let source: EventSource | undefined

    function take(message: Message): void {
      if (message.kind === 'saying') saying.set(message.text)
      else if (message.kind === 'entry') {
        if (message.entry.role !== 'user') saying.set('')
        addEntry(projectId, id, message.entry)
      } else if (message.kind === 'end') {
        void queryClient.invalidateQueries({ queryKey: rowsKey(projectId) })
        void queryClient.invalidateQueries({ queryKey: transcriptKey(projectId, id) }).then(() => saying.set(''))
      }
    }
    const tell = (message: Message) => {
      take(message)
      channel.postMessage(message)
    }

    function lead() {
      let said = ''
      let again: ReturnType<typeof setTimeout> | undefined
      let frame: number | undefined
      const draw = () => {
        frame = undefined
        tell({ kind: 'saying', text: said })
      }
      const query = new URLSearchParams({ project_id: projectId, after: String(lastNumber) })
      const open = () => {
        source = new EventSource(`/v2/app-api/agent_conversations/${id}/stream?${query}`)
        // The server repeats what is being said to whoever connects.
        source.onopen = () => {
          said = ''
        }
        // The browser gives up after an answer that is not a stream, such as that of a proxy while the server restarts.
        source.onerror = () => {
          if (source?.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN_MS)
        }
        source.addEventListener('text', ({ data }) => {
          said += (JSON.parse(data) as { text: string }).text
          // Words may come faster than they can be drawn. A tab in the background draws nothing.
          if (document.hidden) draw()
          else frame ??= requestAnimationFrame(draw)
        })
        source.addEventListener('message', ({ data, lastEventId }) => {
          const entry = { ...JSON.parse(data), number: Number(lastEventId) } as Entry
          if (entry.role !== 'user') said = ''
          if (frame !== undefined) cancelAnimationFrame(frame)
          frame = undefined
          tell({ kind: 'entry', entry })
        })
        source.addEventListener('end', () => {
          source?.close()
          tell({ kind: 'end' })
        })
      }
      open()
      return () => {
        clearTimeout(again)
        if (frame !== undefined) cancelAnimationFrame(frame)
        source?.close()
        source = undefined
      }
    }

    const standing = standForLeader(`slipway-talk ${projectId} ${id}`, {
      ask: () => channel.postMessage({ kind: 'ask' } satisfies Message),
      lead,
    })
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'ask') {
        if (source) channel.postMessage({ kind: 'saying', text: saying.get() } satisfies Message)
        return
      }
      standing.heard()
      take(data)
    }
    return () => {
      standing.stop()
      channel.close()
      saying.set('')
    }
  }, [projectId, id, turnStartedAt])
}

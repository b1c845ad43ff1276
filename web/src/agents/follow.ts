import { standForLeader } from '../lib/lead.ts'
import { createStore, type Store } from '../lib/store.ts'
import { lastOf } from './last-of.ts'

/** What the tab that holds the stream tells the others, and what they ask it for. */
type Message<Entry> =
  | { kind: 'ask' }
  | { kind: 'saying'; text: string }
  | { kind: 'entry'; entry: Entry }
  | { kind: 'status' }
  | { kind: 'end' }

export interface Followed<Entry> {
  /** Below `/v2/app-api/`. */
  path: string
  projectId: string
  /** The number of the last entry that is known. */
  after: number
  /** Returns true if the entry ends what is being said. */
  onEntry(entry: Entry): boolean
  /** What it is about has another state, such as a run that begins. */
  onStatus?(): void
  onEnd(): Promise<unknown>
}

const AGAIN_MS = 2_000
const sayings = new Map<string, Store<string>>()

/** What an agent is saying right now, by the path of its stream. */
export function sayingOf(path: string): Store<string> {
  const known = sayings.get(path) ?? createStore('')
  sayings.set(path, known)
  return known
}

/**
 * Follows an agent while it works. One tab of the browser holds the stream and passes on what it hears, as with the stream
 * of changes. Returns what ends it.
 */
export function followAgent<Entry>({ path, projectId, after, onEntry, onStatus, onEnd }: Followed<Entry>): () => void {
  const name = `slipway-agent ${projectId} ${path}`
  const saying = sayingOf(path)
  const channel = new BroadcastChannel(name)
  let source: EventSource | undefined

  function take(message: Message<Entry>): void {
    if (message.kind === 'saying') saying.set(message.text)
    else if (message.kind === 'entry') {
      if (onEntry(message.entry)) saying.set('')
    } else if (message.kind === 'status') onStatus?.()
    else if (message.kind === 'end') void onEnd().then(() => saying.set(''))
  }
  const tell = (message: Message<Entry>) => {
    take(message)
    channel.postMessage(message)
  }

  function lead() {
    let said = ''
    let again: ReturnType<typeof setTimeout> | undefined
    let frame: number | undefined
    const draw = () => {
      frame = undefined
      tell({ kind: 'saying', text: lastOf(said) })
    }
    const query = new URLSearchParams({ project_id: projectId, after: String(after) })
    const open = () => {
      source = new EventSource(`/v2/app-api/${path}?${query}`)
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
        said = ''
        if (frame !== undefined) cancelAnimationFrame(frame)
        frame = undefined
        tell({ kind: 'entry', entry })
      })
      source.addEventListener('status', () => tell({ kind: 'status' }))
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

  const standing = standForLeader(name, {
    ask: () => channel.postMessage({ kind: 'ask' } satisfies Message<Entry>),
    lead,
  })
  channel.onmessage = ({ data }: MessageEvent<Message<Entry>>) => {
    if (data.kind === 'ask') {
      if (source) channel.postMessage({ kind: 'saying', text: saying.get() } satisfies Message<Entry>)
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
}

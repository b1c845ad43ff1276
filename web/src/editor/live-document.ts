import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import * as Y from 'yjs'
import { createStore, type Store } from '../lib/store.ts'
import { whenIdle } from '../lib/when-idle.ts'
import { keptTyping } from './kept-typing.ts'
import { type TextPlace, takeState } from './stored-state.ts'

export interface LiveStatus {
  /** True once the document is here. */
  isLoaded: boolean
  connection: 'connected' | 'connecting' | 'offline'
  /** Not null if the document cannot be opened, or no longer. */
  ended: 'refused' | 'deleted' | 'signed-out' | null
  isReadOnly: boolean
  hasUnsent: boolean
  /** True if what was not sent would survive a reload. */
  isKept: boolean
  /** Why the server cannot store what was typed. */
  notStored: string | undefined
}

export interface LiveDocument {
  shared: Y.Doc
  fragment: Y.XmlFragment
  provider: HocuspocusProvider
  status: Store<LiveStatus>
  /** Begins a session again after the text was deleted and has come back. What was typed last is sent then. */
  resume(): void
}

const UNAUTHORIZED = 4401
const DELETED = 4404
/** The name of the fragment on the server. */
const FIELD = 'default'

interface Open {
  live: LiveDocument
  users: number
  closing: ReturnType<typeof setTimeout> | undefined
}

const open = new Map<string, Open>()

/** A text that people edit together. */
export interface Subject extends TextPlace {
  /** As events and live documents name its kind: `requirements_document`. */
  resource: string
}

const nameOf = ({ resource, id }: Subject) => `${resource}/${id}`

/** Opens a document, or shares one that is open already. Call `release` once for each. */
export function openLive(subject: Subject, userId: string): LiveDocument {
  const name = nameOf(subject)
  const found = open.get(name) ?? { live: connect(subject, userId), users: 0, closing: undefined }
  clearTimeout(found.closing)
  found.users++
  open.set(name, found)
  return found.live
}

/** Closes a document that nobody shows any more, as soon as everything typed has reached the server. */
export function release(subject: Subject): void {
  const name = nameOf(subject)
  const found = open.get(name)
  if (!found || --found.users > 0) return
  const close = () => {
    if (found.users > 0) return
    if (found.live.provider.hasUnsyncedChanges && !found.live.status.get().ended) {
      found.closing = setTimeout(close, 1_000)
      return
    }
    open.delete(name)
    found.live.provider.destroy()
    found.live.provider.configuration.websocketProvider.destroy()
    found.live.shared.destroy()
  }
  // A page that is shown again at once, as on a change of the address, keeps its connection.
  found.closing = setTimeout(close, 250)
}

addEventListener('beforeunload', (event) => {
  const isLost = ({ live }: Open) => {
    const { ended, isKept } = live.status.get()
    return live.provider.hasUnsyncedChanges && !ended && !isKept
  }
  if ([...open.values()].some(isLost)) event.preventDefault()
})

const KEEP_AFTER_MS = 150
const SENT_AFTER_MS = 300
const DRAWN_WITHIN_MS = 1_000

function connect(subject: Subject, userId: string): LiveDocument {
  const name = nameOf(subject)
  const shared = new Y.Doc()
  const kept = keptTyping(userId, name)
  const status = createStore<LiveStatus>({
    isLoaded: false,
    connection: navigator.onLine ? 'connecting' : 'offline',
    ended: null,
    isReadOnly: true,
    hasUnsent: false,
    isKept: false,
    notStored: undefined,
  })
  const change = (part: Partial<LiveStatus>) => {
    const before = status.get()
    const isNew = Object.entries(part).some(([name, value]) => before[name as keyof LiveStatus] !== value)
    if (isNew) status.set({ ...before, ...part })
  }
  let sentTimer: ReturnType<typeof setTimeout> | undefined
  const address = new URL('/collab', location.href)
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  address.searchParams.set('project_id', subject.projectId)
  let isRestored = false
  /** The first time, the server has all that is here. What an earlier page kept is typed again, as it were. */
  const restore = () => {
    if (!isRestored) kept.restore(shared)
    isRestored = true
  }
  const provider = new HocuspocusProvider({
    // It connects while the stored state is loaded.
    websocketProvider: new HocuspocusProviderWebsocket({ url: address.href }),
    name,
    token: '',
    document: shared,
    onAuthenticated: ({ scope }) => change({ isReadOnly: scope !== 'read-write' }),
    onAuthenticationFailed: () => status.get().ended ?? change({ ended: 'refused' }),
    onSynced: () => {
      restore()
      change({ isLoaded: true, connection: 'connected', notStored: undefined })
    },
    onStatus: ({ status: now }) =>
      change({ connection: now === 'connected' ? 'connected' : navigator.onLine ? 'connecting' : 'offline' }),
    onClose: ({ event }) => {
      if (event.code === UNAUTHORIZED) change({ ended: 'signed-out' })
      if (event.code === DELETED) change({ ended: 'deleted' })
    },
    onUnsyncedChanges: ({ number }) => {
      clearTimeout(sentTimer)
      // "Saved" is never shown too early. It comes a moment late, so that it does not change with every letter.
      if (number > 0) change({ hasUnsent: true })
      else sentTimer = setTimeout(() => change({ hasUnsent: false }), SENT_AFTER_MS)
      if (number === 0 && isRestored) {
        kept.forget(shared)
        change({ isKept: false })
      }
    },
    onStateless: ({ payload }) => change({ notStored: reasonOf(payload) }),
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const keepLater = (_update: Uint8Array, origin: unknown) => {
    if (origin === provider || timer || !status.get().isLoaded) return
    timer = setTimeout(() => {
      timer = undefined
      if (provider.hasUnsyncedChanges) change({ isKept: kept.keep(shared) })
    }, KEEP_AFTER_MS)
  }
  // Yjs encodes every change for those who listen, which takes long for a whole document that nobody sends anywhere.
  shared.off('update', provider.boundDocumentUpdateHandler)
  void takeState(subject).then((state) => {
    if (shared.isDestroyed) return
    if (state) Y.applyUpdate(shared, state, provider)
    shared.on('update', provider.boundDocumentUpdateHandler)
    shared.on('update', keepLater)
    if (!state) {
      provider.attach()
      return
    }
    restore()
    // The session tells soon if one may not write. Until then, the role in the project decides.
    change({ isLoaded: true, isReadOnly: false, connection: 'connected' })
    // To begin a session, the server reads the whole document. The text is drawn before.
    whenIdle(() => shared.isDestroyed || provider.attach(), DRAWN_WITHIN_MS)
  })
  followNetwork(provider, change)
  const resume = () => {
    if (status.get().ended === null) return
    change({ ended: null })
    provider.configuration.websocketProvider.disconnect()
    reconnect(provider, change)
  }
  return { shared, fragment: shared.getXmlFragment(FIELD), provider, status, resume }
}

/** A socket can take a minute to notice that the network is gone. The browser knows at once. */
function followNetwork(provider: HocuspocusProvider, change: (part: Partial<LiveStatus>) => void): void {
  const socket = provider.configuration.websocketProvider
  const leave = () => {
    socket.disconnect()
    change({ connection: 'offline' })
  }
  const join = () => reconnect(provider, change)
  addEventListener('offline', leave)
  addEventListener('online', join)
  provider.on('destroy', () => {
    removeEventListener('offline', leave)
    removeEventListener('online', join)
  })
}

function reconnect(provider: HocuspocusProvider, change: (part: Partial<LiveStatus>) => void): void {
  const socket = provider.configuration.websocketProvider
  change({ connection: 'connecting' })
  // The old socket may still be closing. It connects again as soon as it is closed.
  socket.shouldConnect = true
  void socket.connect()
}

function reasonOf(payload: string): string | undefined {
  try {
    const message = JSON.parse(payload) as { type?: string; reason?: string }
    return message.type === 'not_stored' ? message.reason : undefined
  } catch {
    return undefined
  }
}

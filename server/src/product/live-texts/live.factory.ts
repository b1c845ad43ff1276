import type { AddressInfo } from 'node:net'
import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider'
import type { Node } from 'prosemirror-model'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { updateYFragment } from 'y-prosemirror'
import * as Y from 'yjs'
import { eventually, type Member } from '../../../test/harness.ts'
import type { App } from '../../app.ts'
import { schema } from '../../engines/markdown/index.ts'
import { fragmentOf, readFragment } from './conversion/read-fragment.ts'

/** Starts to listen and returns the address for editors. */
export async function listen(app: App): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  return `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/collab`
}

export interface Editor {
  shared: Y.Doc
  provider: HocuspocusProvider
  /** What the user sees, one line per block. */
  text(): string
  doc(): Node
  /** Types at the end of the block with this index. */
  type(block: number, text: string): void
  /** Changes the document as an editor does: from one state to the next. */
  edit(change: (doc: Node) => Node): void
  /** True if everything that was typed has reached the server. */
  isSent(): boolean
  refusal(): string | undefined
  closeCode(): number | undefined
  reconnect(): void
  disconnect(): void
}

interface EditorOptions {
  url: string
  token?: string
  headers?: Record<string, string>
  name: string
  shared?: Y.Doc
  /** An open socket to share between several documents. */
  socket?: HocuspocusProviderWebsocket
}

/** Opens a real client: what a browser runs, without the view. */
export function openEditor(options: EditorOptions): Editor {
  const { url, token = '', headers = {}, name, shared = new Y.Doc() } = options
  class Socket extends WebSocket {
    constructor(address: string) {
      super(address, { headers })
      // As in a browser, no exception: the provider is told of it as well, unless the test ends while it connects.
      this.on('error', () => undefined)
    }
  }
  let refusal: string | undefined
  let closeCode: number | undefined
  const socket =
    options.socket ??
    new HocuspocusProviderWebsocket({ url, WebSocketPolyfill: Socket, delay: 50, minDelay: 50, maxDelay: 200 })
  const provider = new HocuspocusProvider({
    websocketProvider: socket,
    name,
    token,
    document: shared,
    onAuthenticationFailed: ({ reason }) => {
      refusal = reason
    },
    onClose: ({ event }) => {
      closeCode = event.code
    },
  })
  provider.attach()
  onTestFinished(() => {
    provider.destroy()
    socket.destroy()
  })
  const fragment = fragmentOf(shared)
  const doc = () => readFragment(fragment)
  return {
    shared,
    provider,
    doc,
    text: () =>
      doc()
        .children.map((block) => block.textContent)
        .join('\n'),
    type(block, text) {
      const element = fragment.get(block) as Y.XmlElement
      const last = element.length > 0 ? element.get(element.length - 1) : undefined
      if (last instanceof Y.XmlText) last.insert(last.length, text)
      else element.insert(element.length, [new Y.XmlText(text)])
    },
    edit(change) {
      updateYFragment(shared, fragment, change(doc()), { mapping: new Map(), isOMark: new Map() })
    },
    isSent: () => provider.isSynced && !provider.hasUnsyncedChanges,
    refusal: () => refusal,
    closeCode: () => closeCode,
    reconnect() {
      // As the web does: while the old connection still closes, `connect` alone does nothing.
      socket.shouldConnect = true
      void socket.connect()
    },
    disconnect: () => void socket.disconnect(),
  }
}

/** Opens an editor of this member and waits until it has the document. */
export async function openDocument(app: App, member: Member, id: string, kind = 'blueprint'): Promise<Editor> {
  const editor = openEditor({ url: await listen(app), token: member.key, name: `${kind}/${id}` })
  await eventually(() => editor.provider.isSynced)
  return editor
}

export async function addBlueprint(member: Member, markdown: string): Promise<string> {
  const { body } = await member.api.post('/blueprints', { title: 'Live', markdown_content: markdown })
  return body.data.id
}

export const paragraph = (text: string) => schema.nodes.paragraph.create(null, text ? schema.text(text) : [])

/** Encodes a protocol message: numbers as varints, texts and bytes with a length prefix. */
export function messageOf(...parts: (number | string | Uint8Array)[]): Buffer {
  const numbered = (value: number): Buffer => {
    const bytes: number[] = []
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
    return Buffer.from([...bytes, value])
  }
  return Buffer.concat(
    parts.flatMap((part) => {
      if (typeof part === 'number') return [numbered(part)]
      const bytes = Buffer.from(part)
      return [numbered(bytes.length), bytes]
    }),
  )
}

const [SYNC, AWARENESS, AUTH] = [0, 1, 2]

export interface RawEditor {
  send(message: Uint8Array): void
  sendKey(name: string, key: string): void
  sendUpdate(name: string, update: Uint8Array): void
  sendAwareness(name: string, awareness: Uint8Array): void
  /** The number of messages received so far. */
  received(): number
  /** Code and reason, once it is closed. */
  closed(): string | undefined
}

/** Opens a client that can send anything. */
export async function openRaw(url: string): Promise<RawEditor> {
  const socket = new WebSocket(url)
  let received = 0
  let closed: string | undefined
  socket.on('message', () => received++)
  socket.on('error', () => undefined)
  socket.once('close', (code, reason) => {
    closed = `${code} ${reason}`
  })
  onTestFinished(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const send = (message: Uint8Array) => socket.send(message, () => undefined)
  return {
    send,
    sendKey: (name, key) => send(messageOf(name, AUTH, 0, key, '3.4.4')),
    sendUpdate: (name, update) => send(messageOf(name, SYNC, 2, update)),
    sendAwareness: (name, awareness) => send(messageOf(name, AWARENESS, awareness)),
    received: () => received,
    closed: () => closed,
  }
}

/** Opens a client that is admitted to a document. */
export async function openRawDocument(app: App, member: Member, name: string): Promise<RawEditor> {
  const raw = await openRaw(await listen(app))
  raw.sendKey(name, member.key)
  await eventually(() => raw.received() > 0)
  return raw
}

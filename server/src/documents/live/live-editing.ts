import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Connection, type Document, Hocuspocus } from '@hocuspocus/server'
import { type WebSocket, WebSocketServer } from 'ws'
import * as Y from 'yjs'
import type { Ctx } from '../../kernel/context.ts'
import type { Sql } from '../../kernel/database.ts'
import type { Wiring } from '../../kernel/slice.ts'
import type { Store } from '../../kernel/storage/index.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Keyring } from '../../projects/index.ts'
import { type Admitted, admit, mayType } from './admission.ts'
import { listStored } from './queries.ts'
import { shareThroughRedis } from './redis.ts'
import { openSession, type Session } from './session.ts'
import { loadState } from './stored-state.ts'

const PATH = '/collab'
/** How often keys, and what others have stored, are looked at. */
const LOOK_EVERY_MS = 500
/** What a socket may take before it has shown a key. */
const STRANGER_MS = 10_000
const STRANGER_BYTES = 1024 * 1024
const LARGEST_MESSAGE_BYTES = 16 * 1024 * 1024
/** Close codes of our own, after the HTTP status that says the same. */
const UNAUTHORIZED = 4401
const DELETED = 4404

interface LiveEditingOptions {
  sql: Sql
  keyring: Keyring
  wiring: Wiring
  store: Store
  baseUrl: string
  log: Ctx['log']
  redisUrl?: string | undefined
}

export interface LiveEditing {
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Stores everything that was typed, then ends all connections. */
  close(): Promise<void>
}

/** What goes with a connection: the socket from the start, the rest once it is admitted. */
type Context = { socket: WebSocket; gate: { isPassed: boolean } } & Admitted

/** Documents as people edit them together, over WebSockets on `/collab`. */
export async function createLiveEditing(options: LiveEditingOptions): Promise<LiveEditing> {
  const { sql, keyring, wiring, store, baseUrl, log, redisUrl } = options
  const sessions = new Map<Document, Session>()
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LARGEST_MESSAGE_BYTES })
  let isClosing = false
  let isLooking = false
  let timer: NodeJS.Timeout | undefined

  const hocuspocus = new Hocuspocus({
    quiet: true,
    extensions: redisUrl ? [await shareThroughRedis(redisUrl)] : [],

    async onAuthenticate({ token, requestHeaders, documentName, connectionConfig, context }) {
      const { socket, gate } = context as Context
      const admitted = await admit(sql, keyring, { token, headers: requestHeaders, name: documentName }).catch(
        (err: unknown) => {
          // Not a refusal: whoever is cut off tries again, whoever is refused does not.
          log.warn({ err }, 'Whether a document may be opened could not be looked up')
          socket.close(1013, 'Try again later')
          throw refusal()
        },
      )
      if (!admitted || isClosing) throw refusal()
      connectionConfig.readOnly = !mayType(admitted.actor)
      gate.isPassed = true
      return admitted
    },

    async onLoadDocument({ document, context }) {
      const { actor, ref } = context as Context
      const ctx: Ctx = { db: sql, actor, requestId: uuidv7(), log, wiring, store, baseUrl, ifMatch: undefined }
      const stored = await loadState(ctx, ref)
      Y.applyUpdate(document, stored.state)
      const session = openSession({
        ctx,
        ref,
        shared: document,
        stored,
        authorOf: (origin) => (origin as Connection | undefined)?.context?.actor,
        onDeleted: () => endAll(document, DELETED, 'Deleted'),
        onRefused: (reason) => document.broadcastStateless(JSON.stringify({ type: 'not_stored', reason })),
      })
      sessions.set(document, session)
      document.once('destroy', () => forget(document))
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
    },

    // The document may have been closed while this connection was on its way to it; the next attempt opens it anew.
    async connected({ connection, context }) {
      if (connection.document.isDestroyed) (context as Context).socket.close(1012, 'Reconnect')
    },

    async beforeUnloadDocument({ document }) {
      await sessions.get(document)?.finish()
    },
  })

  function forget(document: Document): void {
    sessions.get(document)?.leave()
    sessions.delete(document)
  }

  function end(connection: Connection, code: number, reason: string): void {
    connection.close({ code, reason })
    ;(connection.context as Context).socket.close(code, reason)
  }

  function endAll(document: Document, code: number, reason: string): void {
    forget(document)
    for (const connection of document.getConnections()) end(connection, code, reason)
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    // Without the database nothing can be said; the next look will.
    await Promise.allSettled([lookAtKeys(), lookAtStored()])
    isLooking = false
    if (sessions.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  async function lookAtKeys(): Promise<void> {
    for (const connection of [...sessions.keys()].flatMap((document) => document.getConnections())) {
      const { key, actor } = connection.context as Context
      const current = await keyring.authenticate(key, 'external')
      if (current?.projectId !== actor.projectId) end(connection, UNAUTHORIZED, 'Unauthorized')
      else connection.readOnly = !mayType(current)
    }
  }

  async function lookAtStored(): Promise<void> {
    const open = [...sessions]
    const rows = await listStored(
      sql,
      open.map(([, { projectId }]) => projectId),
      open.map(([, { ref }]) => ref.id),
    )
    const stored = new Map(rows.map((row) => [row.documentId, row]))
    for (const [document, session] of open) {
      const row = stored.get(session.ref.id)
      if (!row) endAll(document, DELETED, 'Deleted')
      else if (session.isBehind(row)) await session.catchUp()
      else if (session.isDue()) await session.save()
      // What could not be stored when the last one left is stored by now.
      if (document.getConnectionsCount() === 0) await hocuspocus.unloadDocument(document)
    }
  }

  return {
    handleUpgrade(req, socket, head) {
      const isOurs = req.url === PATH || req.url?.startsWith(`${PATH}?`) || req.url?.startsWith(`${PATH}/`)
      if (!isOurs || isClosing) return refuse(socket, isOurs ? '503 Service Unavailable' : '404 Not Found')
      sockets.handleUpgrade(req, socket, head, (webSocket) => {
        hocuspocus.handleConnection(webSocket, req, { socket: webSocket, gate: watchStranger(webSocket) })
      })
    },

    async close() {
      isClosing = true
      clearInterval(timer)
      const open = [...sessions]
      for (const connection of open.flatMap(([document]) => document.getConnections())) connection.readOnly = true
      await Promise.allSettled(open.map(([, session]) => session.finish()))
      for (const document of sessions.keys()) forget(document)
      for (const socket of sockets.clients) socket.terminate()
      await hocuspocus.hooks('onDestroy', { instance: hocuspocus })
    },
  }
}

function watchStranger(socket: WebSocket): Context['gate'] {
  const gate = { isPassed: false }
  let received = 0
  const timer = setTimeout(() => gate.isPassed || socket.terminate(), STRANGER_MS).unref()
  socket.prependListener('message', (message: Buffer) => {
    received += message.length
    if (!gate.isPassed && received > STRANGER_BYTES) socket.terminate()
  })
  socket.once('close', () => clearTimeout(timer))
  // A socket that breaks is closed all the same; without a listener it would end the process.
  socket.on('error', () => undefined)
  return gate
}

/** The same for every reason. Without a message, for hocuspocus prints those. */
const refusal = () => Object.assign(new Error(), { reason: 'permission-denied' })

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => undefined)
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Actor, Ctx } from '../../kernel/context.ts'
import { forProject, type Sql } from '../../kernel/database/index.ts'
import type { Wiring } from '../../kernel/slice.ts'
import type { Store } from '../../kernel/storage/index.ts'
import { exchangeCalls, type Peer } from '../../kernel/threads/calls.ts'
import { bundledModule } from '../../kernel/threads/threads.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Keyring } from '../projects/index.ts'
import { enterSession } from './open-sessions.ts'
import type { Host, Room } from './room.ts'
import { admit, mayType, type People, recheck, type SocketRequest } from './sockets/admission.ts'
import { forwardMessages } from './sockets/forward-messages.ts'
import { MAX_MESSAGE_BYTES } from './sockets/limits.ts'
import { createUnauthenticatedSockets } from './sockets/unauthenticated-sockets.ts'
import { isLiveText, listStoredTexts, loadState, saveTyped } from './stored-state.ts'

const PATH = '/collab'
const RESTART = 1012
/** The thread ends and frees its memory after this long without editors. */
const EMPTY_MS = 60_000

interface LiveEditingOptions {
  sql: Sql
  keyring: Keyring
  people: People
  wiring: Wiring
  store: Store
  baseUrl: string
  log: Ctx['log']
  redisUrl?: string | undefined
}

export interface LiveEditing {
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Stores everything that was typed, then closes all connections. */
  close(): Promise<void>
}

interface Guest {
  socket: WebSocket
  request: SocketRequest
  /** Called whenever one of its keys opens a document. */
  admitted(): void
}

interface Thread {
  room: Peer<Room>
  guests: Map<number, Guest>
  /** True if nobody is connected and nothing is left to store. */
  isEmpty(): boolean
  end(): Promise<unknown>
}

/**
 * Lets people edit documents together over WebSockets on `/collab`. A separate thread holds the shared state, because
 * parsing or writing a large document would delay everyone else. This thread serves the sockets and the database.
 */
export function createLiveEditing(options: LiveEditingOptions): LiveEditing {
  const { sql, keyring, people, wiring, store, baseUrl, log, redisUrl } = options
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  const unauthenticated = createUnauthenticatedSockets()
  let thread: Thread | undefined
  let isClosing = false
  let last = 0
  let emptyTimer: NodeJS.Timeout | undefined

  const ctxOf = (actor: Actor): Ctx => ({
    db: forProject(sql, actor.projectId),
    actor,
    requestId: uuidv7(),
    log,
    wiring,
    store,
    baseUrl,
    ifMatch: undefined,
  })

  function start(): Thread {
    const worker = new Worker(bundledModule(new URL('./live-thread.js', import.meta.url)), {
      workerData: { redisUrl },
      stderr: true,
    })
    // Hocuspocus prints errors with their full stack.
    worker.stderr.setEncoding('utf8').on('data', (said: string) => log.warn(`Live editing: ${oneLine(said)}`))
    const guests = new Map<number, Guest>()
    const leave = new Map<string, () => void>()
    const room = exchangeCalls<Room, Host>(worker, (room) => ({
      async admit(guest, token, name) {
        const from = guests.get(guest)
        if (!from || isClosing) return undefined
        const admitted = await admit(keyring, people, { token, request: from.request, name })
        if (!admitted || !(await isLiveText({ db: sql, wiring }, admitted.actor.projectId, admitted.ref)))
          return undefined
        from.admitted()
        return admitted
      },
      async recheck(credentials) {
        const actors = await recheck(keyring, people, credentials)
        return actors.map((actor) => actor && { projectId: actor.projectId, mayType: mayType(actor) })
      },
      load: (actor, ref) => loadState(ctxOf(actor), ref),
      save: (actor, ref, known, typed, by) => saveTyped(ctxOf(actor), ref, known, typed, by),
      listStored: (open) => listStoredTexts({ db: sql, wiring }, open),
      entered(documentId) {
        leave.get(documentId)?.()
        const session = {
          // If the thread ends in the meantime, the editors send their changes to the next one.
          save: () => room.ask('save', documentId).catch(() => undefined),
          catchUp: async () => room.tell('catchUp', documentId),
        }
        leave.set(documentId, enterSession(documentId, session))
      },
      left(documentId) {
        leave.get(documentId)?.()
        leave.delete(documentId)
      },
      send: (guest, message) => guests.get(guest)?.socket.send(message, () => undefined),
      ping: (guest) => guests.get(guest)?.socket.ping(),
      end: (guest, code, reason) => guests.get(guest)?.socket.close(code, reason),
      log: (level, message, err) => log[level]({ err }, message),
    }))
    worker.unref()
    worker.on('error', (err) => log.error({ err }, 'The live editing thread failed; editors reconnect to a new one'))
    worker.once('exit', () => {
      if (thread === started) thread = undefined
      room.giveUp(new Error('The live editing thread has ended.'))
      for (const leaveOne of leave.values()) leaveOne()
      for (const { socket } of guests.values()) socket.close(RESTART, 'Reconnect')
    })
    const isEmpty = () => guests.size === 0 && leave.size === 0
    const started: Thread = { room, guests, isEmpty, end: () => worker.terminate() }
    return started
  }

  function welcome(socket: WebSocket, { headers, url, socket: raw }: IncomingMessage, address: string): void {
    thread ??= start()
    const { room, guests } = thread
    const guest = ++last
    // A broken socket closes anyway. Without a listener, its error would end the process.
    socket.on('error', () => undefined)
    guests.set(guest, { socket, request: { headers, url }, admitted: unauthenticated.watch(socket, raw, address) })
    room.tell('enter', guest, { headers, url })
    forwardMessages(socket, (message) => room.ask('receive', guest, message))
    socket.on('pong', () => room.tell('pong', guest))
    socket.once('close', (code, reason) => {
      guests.delete(guest)
      room.tell('leave', guest, code, reason.toString())
      endWhenEmpty()
    })
  }

  function endWhenEmpty(): void {
    clearTimeout(emptyTimer)
    emptyTimer = setTimeout(() => {
      if (!thread || thread.guests.size > 0) return
      if (!thread.isEmpty()) return endWhenEmpty()
      void thread.end()
      thread = undefined
    }, EMPTY_MS).unref()
  }

  return {
    handleUpgrade(req, socket, head) {
      const isOurs = req.url === PATH || req.url?.startsWith(`${PATH}?`) || req.url?.startsWith(`${PATH}/`)
      const address = req.socket.remoteAddress ?? ''
      if (!isOurs) return refuse(socket, '404 Not Found')
      if (isClosing || !unauthenticated.hasRoomFor(address)) return refuse(socket, '503 Service Unavailable')
      sockets.handleUpgrade(req, socket, head, (webSocket) => welcome(webSocket, req, address))
    },

    async close() {
      isClosing = true
      clearTimeout(emptyTimer)
      await thread?.room.ask('close').catch((err) => log.error({ err }, 'Live editing did not shut down cleanly'))
      for (const socket of sockets.clients) socket.terminate()
      await thread?.end()
    },
  }
}

const oneLine = (said: string) => said.replace(/\s+/g, ' ').trim().slice(0, 300)

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => undefined)
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

import type { IncomingMessage } from 'node:http'
import { type Connection, type Document, type Extension, Hocuspocus } from '@hocuspocus/server'
import * as Y from 'yjs'
import type { Actor } from '../../kernel/context.ts'
import type { Peer } from '../../kernel/threads/calls.ts'
import { unpackState } from './conversion/packed-state.ts'
import type { DocumentRef } from './document-name.ts'
import type { LiveState, StoredVersion } from './queries.ts'
import { openSession, type Session } from './session.ts'
import type { Admitted, Credential } from './sockets/admission.ts'
import {
  createDocumentGate,
  type DocumentGate,
  GARBLED,
  NOT_RICH_TEXT,
  type Refusal,
  TOO_LARGE,
} from './sockets/document-gate.ts'
import { MAX_AWARENESS_BYTES } from './sockets/limits.ts'
import { isRichText, readMessage } from './sockets/messages.ts'
import { RemoteSocket } from './sockets/remote-socket.ts'
import { type StateSize, watchSize } from './sockets/state-size.ts'
import type { OpenText, Saved, SuggestedBy, Typed } from './stored-state.ts'

/** How often credentials and stored documents are checked for changes. */
const CHECK_EVERY_MS = 500
/** The sessions of people take statements of their own, so they are checked with every fourth check only. */
const PEOPLE_EVERY_CHECKS = 4
/** Our own close codes, each derived from the equivalent HTTP status. */
const UNAUTHORIZED = 4401
const DELETED = 4404

/** The calls that the main thread makes to the room. */
export interface Room {
  enter(guest: number, request: Pick<IncomingMessage, 'headers' | 'url'>): void
  receive(guest: number, message: Uint8Array): void
  pong(guest: number): void
  leave(guest: number, code: number, reason: string): void
  /** Stores what was typed in a document. */
  save(documentId: string): Promise<void>
  /** Shows editors what was written elsewhere. */
  catchUp(documentId: string): Promise<void>
  /** Stores everything that was typed and accepts no more. */
  close(): Promise<void>
}

/** The calls that the room makes to the main thread, which holds the sockets and the database. */
export interface Host {
  admit(guest: number, token: string, name: string): Promise<Admitted | undefined>
  /** Returns what their owners may do now. */
  recheck(credentials: Credential[]): Promise<((Pick<Actor, 'projectId'> & Pick<Admitted, 'mayType'>) | undefined)[]>
  load(actor: Actor, ref: DocumentRef): Promise<LiveState>
  save(
    actor: Actor,
    ref: DocumentRef,
    known: { revision: string },
    typed: Typed,
    suggestedBy: SuggestedBy,
  ): Promise<Saved>
  /** Leaves out those that were deleted. */
  listStored(open: OpenText[]): Promise<StoredVersion[]>
  /** Called when a document opens in an editor. */
  entered(documentId: string): void
  left(documentId: string): void
  send(guest: number, message: Uint8Array): void
  ping(guest: number): void
  end(guest: number, code: number | undefined, reason: string | undefined): void
  log(level: 'warn' | 'error', message: string, err: unknown): void
}

/** The context of a connection. The rest is set once it is admitted. */
type Context = { guest: number; socket: RemoteSocket; gate: DocumentGate } & Admitted

/** Holds the documents that are open in editors, and runs hocuspocus and Yjs for them. */
export function createRoom(host: Peer<Host>, extensions: Extension[]): Room {
  const sessions = new Map<Document, Session>()
  const sizes = new WeakMap<Document, StateSize>()
  const guests = new Map<number, { socket: RemoteSocket; gate: DocumentGate }>()
  let timer: NodeJS.Timeout | undefined
  let isChecking = false
  let checks = 0
  let isClosing = false

  const hocuspocus = new Hocuspocus({
    quiet: true,
    extensions,

    async onAuthenticate({ token, documentName, connectionConfig, context }) {
      const { guest, socket, gate } = context as Context
      const admitted = await host.ask('admit', guest, token, documentName).catch((err: unknown) => {
        // Not a refusal: a client that is cut off reconnects, one that is refused does not.
        host.tell('log', 'warn', 'Whether a document may be opened could not be looked up', err)
        socket.close(1013, 'Try again later')
        throw refusal()
      })
      if (!admitted || isClosing) {
        gate.refuse(documentName)
        throw refusal()
      }
      connectionConfig.readOnly = !admitted.mayType
      return admitted
    },

    async onLoadDocument({ document, context }) {
      const { actor, ref } = context as Context
      const stored = await host.ask('load', actor, ref)
      const state = unpackState(stored.state)
      Y.applyUpdate(document, state)
      const size = watchSize(document, state.length)
      sizes.set(document, size)
      // Updates from editors on this node were counted before they were accepted.
      document.on('update', (update: Uint8Array, origin: unknown) => authorOf(origin) ?? size.add(update))
      const session = openSession({
        ref,
        projectId: actor.projectId,
        shared: document,
        stored,
        load: () => host.ask('load', actor, ref),
        save: (known, typed, suggestedBy) => host.ask('save', actor, ref, known, typed, suggestedBy),
        log: (level, message, err) => host.tell('log', level, message, err),
        authorOf,
        onDeleted: () => endAll(document, DELETED, 'Deleted'),
        onNotStored: (reason) =>
          document.broadcastStateless(JSON.stringify(reason ? { type: 'not_stored', reason } : { type: 'stored' })),
      })
      if (sessionsOf(ref.id).length === 0) host.tell('entered', ref.id)
      sessions.set(document, session)
      document.once('destroy', () => forget(document))
      timer ??= setInterval(check, CHECK_EVERY_MS).unref()
    },

    // The document may have closed while this connection was opening it. The next attempt opens it again.
    async connected({ connection, context, documentName }) {
      ;(context as Context).gate.open(documentName)
      if (connection.document.isDestroyed) (context as Context).socket.close(1012, 'Reconnect')
    },

    async onDisconnect({ context, documentName }) {
      ;(context as Context).gate.leave(documentName)
    },

    async beforeHandleMessage({ connection, document, update: message, context }) {
      const refused = judge(message, connection.readOnly ? undefined : sizes.get(document))
      if (!refused) {
        const { update } = readMessage(message)
        // Merged here first, because hocuspocus would drop what is typed in a block that is gone.
        if (update && !connection.readOnly) sessions.get(document)?.receive(update, connection)
        return
      }
      ;(context as Context).socket.close(refused.code, refused.reason)
      // No message, because hocuspocus would print it too. The next line logs the reason.
      throw Object.assign(new Error(), refused, { toString: () => refused.reason })
    },

    async beforeUnloadDocument({ document }) {
      await sessions.get(document)?.finish()
    },
  })

  const sessionsOf = (documentId: string) => [...sessions.values()].filter(({ ref }) => ref.id === documentId)

  function forget(document: Document): void {
    const session = sessions.get(document)
    if (!session) return
    session.leave()
    sessions.delete(document)
    if (sessionsOf(session.ref.id).length === 0) host.tell('left', session.ref.id)
  }

  function end(connection: Connection, code: number, reason: string): void {
    connection.close({ code, reason })
    ;(connection.context as Context).socket.close(code, reason)
  }

  function endAll(document: Document, code: number, reason: string): void {
    forget(document)
    for (const connection of document.getConnections()) end(connection, code, reason)
  }

  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    // Without the database there is no answer. The next check retries.
    await Promise.allSettled([checkCredentials(), checkStored()])
    isChecking = false
    if (sessions.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  async function checkCredentials(): Promise<void> {
    const withPeople = checks++ % PEOPLE_EVERY_CHECKS === 0
    const connections = [...sessions.keys()]
      .flatMap((document) => document.getConnections())
      .filter(({ context }) => withPeople || 'key' in (context as Context).credential)
    const contexts = connections.map((connection) => connection.context as Context)
    const found = await host.ask(
      'recheck',
      contexts.map(({ credential }) => credential),
    )
    for (const [at, connection] of connections.entries()) {
      const current = found[at]
      if (current?.projectId !== contexts[at]!.actor.projectId) end(connection, UNAUTHORIZED, 'Unauthorized')
      else connection.readOnly = !current.mayType
    }
  }

  async function checkStored(): Promise<void> {
    const open = [...sessions]
    const rows = await host.ask(
      'listStored',
      open.map(([, { projectId, ref }]) => ({ projectId, ref })),
    )
    const stored = new Map(rows.map((row) => [row.id, row]))
    for (const [document, session] of open) {
      const row = stored.get(session.ref.id)
      if (!row) endAll(document, DELETED, 'Deleted')
      else if (session.isBehind(row)) await session.catchUp()
      // Changes that could not be stored when the last editor left are stored by now.
      if (document.getConnectionsCount() === 0) await hocuspocus.unloadDocument(document)
    }
  }

  return {
    enter(guest, request) {
      const socket = new RemoteSocket({
        send: (message) => host.tell('send', guest, message),
        ping: () => host.tell('ping', guest),
        end: (code, reason) => host.tell('end', guest, code, reason),
      })
      const gate = createDocumentGate()
      guests.set(guest, { socket, gate })
      hocuspocus.handleConnection(socket.asWebSocket(), request as IncomingMessage, { guest, socket, gate })
    },

    receive(guest, message) {
      const { socket, gate } = guests.get(guest) ?? {}
      if (!socket?.isOpen || !gate) return
      const judgement = gate.judge(message)
      if (judgement === 'pass') socket.emit('message', message)
      else if (judgement !== 'drop') {
        host.tell('log', 'warn', `A live editing socket was closed: ${judgement.reason}`, undefined)
        socket.close(judgement.code, judgement.reason)
      }
    },

    pong(guest) {
      guests.get(guest)?.socket.emit('pong')
    },

    leave(guest, code, reason) {
      guests.get(guest)?.socket.gone(code, reason)
      guests.delete(guest)
    },

    async save(documentId) {
      await Promise.all(sessionsOf(documentId).map((session) => session.save()))
    },

    async catchUp(documentId) {
      await Promise.all(sessionsOf(documentId).map((session) => session.catchUp()))
    },

    async close() {
      isClosing = true
      clearInterval(timer)
      const open = [...sessions]
      for (const connection of open.flatMap(([document]) => document.getConnections())) connection.readOnly = true
      await Promise.allSettled(open.map(([, session]) => session.finish()))
      for (const document of sessions.keys()) forget(document)
      await hocuspocus.hooks('onDestroy', { instance: hocuspocus })
    },
  }
}

const authorOf = (origin: unknown): Actor | undefined => (origin as Connection | undefined)?.context?.actor

/** Returns why a message must be refused, if so. Viewers change nothing, so their messages need no space. */
function judge(message: Uint8Array, size: StateSize | undefined): Refusal | undefined {
  try {
    const { is, update } = readMessage(message)
    if (is === 'awareness' && message.length > MAX_AWARENESS_BYTES) return TOO_LARGE
    if (!update || !size) return undefined
    if (!isRichText(update)) return NOT_RICH_TEXT
    return size.takes(update) ? undefined : TOO_LARGE
  } catch {
    return GARBLED
  }
}

/** The same for every reason. No message, because hocuspocus would print it. */
const refusal = () => Object.assign(new Error(), { reason: 'permission-denied' })

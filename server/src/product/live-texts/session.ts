import * as Y from 'yjs'
import type { Actor } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { keepTyped } from './conversion/keep-typed.ts'
import { mergeUpdate } from './conversion/merge-update.ts'
import { packState, unpackState } from './conversion/packed-state.ts'
import type { DocumentRef } from './document-name.ts'
import type { OpenSession } from './open-sessions.ts'
import type { LiveState } from './queries.ts'
import type { Saved, SuggestedBy, Typed } from './stored-state.ts'
import { suggestedIn } from './suggested-in.ts'

/** Typing is stored after a short pause, or within a second while someone keeps typing. */
const QUIET_MS = 250
const MAX_DELAY_MS = 700
const RETRY_MS = 1_000
/** A database that is away for a moment is not worth a message. */
const TOLD_AFTER_FAILURES = 3

/** The origin of changes from the database. They are already stored. */
const STORED = Symbol('stored')

export interface Session extends OpenSession {
  ref: DocumentRef
  projectId: string
  /** Merges what an editor on this node has sent. */
  receive(update: Uint8Array, origin: unknown): void
  /** Stores everything. Throws if it must be retried. */
  finish(): Promise<void>
  isBehind(stored: { version: string; revision: string | null }): boolean
  leave(): void
}

type StoredVersion = Omit<LiveState, 'state'>

interface SessionOptions {
  ref: DocumentRef
  projectId: string
  shared: Y.Doc
  stored: LiveState
  load(): Promise<LiveState>
  save(known: { revision: string }, typed: Typed, suggestedBy: SuggestedBy): Promise<Saved>
  log(level: 'warn' | 'error', message: string, err: unknown): void
  /** Returns the author of an update, or undefined if another node is responsible for it. */
  authorOf(origin: unknown): Actor | undefined
  onDeleted(): void
  /** Says why editors have something that is not stored, or undefined once it is. */
  onNotStored(reason: string | undefined): void
}

/** Opens a session for one document on this node. It stores what is typed and shows what is written elsewhere. */
export function openSession({
  ref,
  shared,
  log,
  authorOf,
  onDeleted,
  onNotStored,
  ...options
}: SessionOptions): Session {
  let stored: StoredVersion = { version: options.stored.version, revision: options.stored.revision }
  /** Who typed something that is not stored yet, by user. */
  let authors = new Map<string | null, Actor>()
  /** How many updates came since `stored`. */
  let unsaved = 0
  /** Who began the changes that may not be stored yet. A version has many authors, a suggestion has one. */
  const suggestedBy = new Map<string, Actor>()
  /** The Yjs clients of the editors on this node. */
  const editors = new Set<number>()
  let dirtySinceMs: number | undefined
  let timer: NodeJS.Timeout | undefined
  let isOpen = true
  let failures = 0
  let isTold = false
  let last: Promise<unknown> = Promise.resolve()

  const onUpdate = (update: Uint8Array, origin: unknown) => {
    if (origin === STORED) return
    const author = authorOf(origin)
    if (author) {
      for (const id of suggestedIn(update)) if (!suggestedBy.has(id)) suggestedBy.set(id, author)
      authors.set(author.userId, author)
      schedule()
    }
    unsaved++
  }

  function schedule(inMs?: number): void {
    dirtySinceMs ??= Date.now()
    clearTimeout(timer)
    timer = setTimeout(() => void session.save(), inMs ?? Math.min(QUIET_MS, dirtySinceMs + MAX_DELAY_MS - Date.now()))
  }

  /** Runs one after the other, because each starts from the state that the previous one stored. */
  function serialized(run: () => Promise<void>): Promise<void> {
    const result = last.then(() => (isOpen ? run() : undefined))
    last = result.catch(() => undefined)
    return result
  }

  async function store(): Promise<void> {
    if (authors.size === 0) return
    const state = packState(Y.encodeStateAsUpdate(shared))
    const typists = authors
    const count = unsaved
    clearTimeout(timer)
    authors = new Map()
    dirtySinceMs = undefined
    try {
      const begun = Object.fromEntries(suggestedBy)
      const typed = { authors: [...typists.values()], state }
      const { version, revision, news } = await options.save({ revision: stored.revision }, typed, begun)
      for (const id of Object.keys(begun)) suggestedBy.delete(id)
      keep({ version, revision }, count)
      failures = 0
      if (isTold) tell(undefined)
      if (news) show(news)
    } catch (err) {
      authors = new Map([...typists, ...authors])
      throw err
    }
  }

  function keep({ version, revision }: StoredVersion, count: number): void {
    stored = { version, revision }
    unsaved -= count
  }

  /** What was typed since keeps its marks, and is stored with them next. */
  function show(state: Uint8Array): void {
    const update = unpackState(state)
    const typed = unsaved > 0 ? docOf(Y.encodeStateAsUpdate(shared)) : undefined
    mergeUpdate(shared, update, { origin: STORED, isOurs: (client) => editors.has(client) })
    if (typed) keepTyped(shared, typed, docOf(update))
  }

  async function follow(): Promise<void> {
    if (authors.size > 0) return store()
    const count = unsaved
    const found = await options.load()
    if (found.revision === stored.revision) return
    keep(found, count)
    show(found.state)
  }

  function tell(reason: string | undefined): void {
    isTold = reason !== undefined
    onNotStored(reason)
  }

  function failed(err: unknown): void {
    if (!isOpen) return
    if (!isRefusal(err)) {
      log('warn', `Edits of document ${ref.id} could not be stored yet`, err)
      if (++failures === TOLD_AFTER_FAILURES) tell('The server cannot store it at the moment. It keeps trying.')
      schedule(RETRY_MS)
    } else if (err.status === 404) onDeleted()
    else {
      log('error', `Edits of document ${ref.id} cannot be stored`, err)
      tell(err.message)
    }
  }

  const session: Session = {
    ref,
    projectId: options.projectId,
    receive(update, origin) {
      for (const client of Y.parseUpdateMeta(update).to.keys()) editors.add(client)
      mergeUpdate(shared, update, { origin, keptAs: origin, isOurs: (client) => editors.has(client) })
    },
    save: () => serialized(store).catch(failed),
    catchUp: () => serialized(follow).catch(failed),
    finish: () =>
      serialized(store).catch((err) => {
        failed(err)
        if (!isRefusal(err)) throw err
      }),
    isBehind: ({ version, revision }) => version !== stored.version || revision !== stored.revision,
    leave() {
      isOpen = false
      clearTimeout(timer)
      shared.off('update', onUpdate)
    },
  }
  shared.on('update', onUpdate)
  return session
}

function docOf(...updates: Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

/** True if a retry would be refused again. Contention and timeouts are retried. */
const isRefusal = (err: unknown): err is AppError =>
  err instanceof AppError && err.status !== 503 && err.code !== 'document_busy'

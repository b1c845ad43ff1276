import * as api from '@slipway/sdk/resources'
import { callOf, SlipwayError } from '../../lib/client.ts'
import { connection } from '../../lib/connection.ts'
import { newId } from '../../lib/ids.ts'
import { refreshSoon } from '../../lib/refresh-soon.ts'
import { createStore } from '../../lib/store.ts'
import { nameOfFile } from '../../lib/uploads/files.ts'
import { refuseTooLarge } from '../../lib/uploads/store-file.ts'
import { foldersQuery, ROWS } from '../api.ts'
import type { Row } from '../artifact.ts'
import type { Dropped } from './dropped.ts'
import { forgetFolders, reachFolder } from './folders-of-drop.ts'
import { holdUpload, releaseUpload, takeOverUpload } from './holding.ts'
import { IN_PARTS_ABOVE, sendFile } from './send-file.ts'
import { forgetUpload, keepUpload, listStoredUploads, type StoredUpload } from './stored-uploads.ts'

export interface Upload extends StoredUpload {
  /** `asking`: something else has its name. `elsewhere`: another tab sends it. */
  state: 'waiting' | 'sending' | 'asking' | 'failed' | 'elsewhere' | 'done'
  sentBytes: number
  /** When this attempt began, and how much had been sent by then. */
  begun?: { at: number; bytes: number } | undefined
  fault?: string | undefined
  isOffline?: boolean
  /** What has its name. */
  taken?: { id: string; isFile: boolean }
  /** When it was stored, by the clock of the server. */
  storedAt?: string
}

export interface Place {
  projectId: string
  userId: string
  folderId: string | null
  folderName: string
}

/** Browsers open six connections to a server. One is the stream of changes. */
const AT_ONCE = 4

/** Files on their way into the knowledge base, whichever page is open. */
export const uploads = createStore<Upload[]>([])
const running = new Map<string, AbortController>()

const set = (key: string, part: Partial<Upload>) =>
  uploads.set((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
const isRunning = ({ state }: Upload) => state === 'sending'

export function addUploads({ projectId, userId, folderId, folderName }: Place, files: Dropped[]): void {
  const added = files.map(({ file, path }): Upload => {
    const place = { projectId, userId, folderId, folderName, path }
    return { ...place, key: newId(), file, name: nameOfFile(file), state: 'waiting', sentBytes: 0 }
  })
  uploads.set((all) => [...all.filter(({ state }) => state !== 'done'), ...added])
  for (const one of added) void keep(one)
  sendNext()
}

/** Sends new content of a file that is there. */
export function replaceWith(
  { projectId, userId, row }: { projectId: string; userId: string; row: Pick<Row, 'id' | 'name' | 'parent_id'> },
  file: File,
): void {
  const place = { projectId, userId, folderId: row.parent_id, folderName: `“${row.name}”`, path: [] }
  const upload: Upload = {
    ...place,
    key: newId(),
    file,
    name: row.name,
    state: 'waiting',
    sentBytes: 0,
    replaces: row.id,
  }
  uploads.set((all) => [...all.filter(({ state }) => state !== 'done'), upload])
  void keep(upload)
  sendNext()
}

/** Only what is sent in parts can go on after a reload. */
async function keep(upload: Upload): Promise<void> {
  const { key, userId, projectId, file, name, folderId, folderName, path, uploadId, replaces, keepsBoth } = upload
  if (file.size <= IN_PARTS_ABOVE) return
  // Another tab finds it from now on, and must find it taken.
  await holdUpload(key)
  await keepUpload({ key, userId, projectId, file, name, folderId, folderName, path, uploadId, replaces, keepsBoth })
}

/** Goes on with what an earlier page left. */
export async function resumeUploads(userId: string): Promise<void> {
  const stored = await listStoredUploads(userId)
  const known = new Set(uploads.get().map(({ key }) => key))
  const left = stored.filter(({ key }) => !known.has(key))
  uploads.set((all) => [...all, ...left.map((one): Upload => ({ ...one, state: 'elsewhere', sentBytes: 0 }))])
  for (const one of left) void resume(one, userId)
}

/** In one tab only. The others show it, and the next one goes on when that tab is closed. */
async function resume({ key }: StoredUpload, userId: string): Promise<void> {
  if (!(await holdUpload(key))) await takeOverUpload(key)
  // It may be done or canceled by now, and more of it may be known.
  const stored = (await listStoredUploads(userId)).find((one) => one.key === key)
  if (stored) set(key, { ...stored, state: 'waiting' })
  else {
    releaseUpload(key)
    uploads.set((all) => all.filter((one) => one.key !== key))
  }
  sendNext()
}

function sendNext(): void {
  const all = uploads.get()
  const free = AT_ONCE - all.filter(isRunning).length
  for (const one of all.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void send(one)
}

async function send(upload: Upload): Promise<void> {
  const { key, projectId, file, name, folderId, path, uploadId, replaces, keepsBoth = false } = upload
  const request = new AbortController()
  running.set(key, request)
  const begun = { at: Date.now(), bytes: upload.sentBytes }
  set(key, { state: 'sending', begun, fault: undefined, isOffline: false })
  try {
    await refuseTooLarge(file, name)
    const parentId = await reachFolder(projectId, folderId, path)
    const stored = await sendFile({
      ...{ projectId, file, name, parentId, key, replaces, keepsBoth, uploadId, signal: request.signal },
      onProgress: (sentBytes) => set(key, { sentBytes }),
      onBegun(id) {
        set(key, { uploadId: id })
        return keep({ ...upload, uploadId: id })
      },
    })
    void forgetUpload(key).then(() => releaseUpload(key))
    set(key, { state: 'done', sentBytes: file.size, storedAt: stored.updated_at })
    // All files of a burst share one read.
    void refreshSoon([[projectId, ROWS], [projectId, 'artifact'], foldersQuery(projectId).queryKey])
  } catch (err) {
    if (!request.signal.aborted) fail(key, err as Error)
  }
  running.delete(key)
  sendNext()
}

function fail(key: string, err: Error): void {
  const { status, code, problem } = err instanceof SlipwayError ? err : {}
  if (code === 'name_taken') {
    const taken = { id: String(problem?.artifact_id), isFile: problem?.artifact_type === 'file' }
    set(key, { state: 'asking', taken })
    return
  }
  if (status === 404) forgetFolders()
  set(key, { state: 'failed', fault: err.message, isOffline: status === 0 })
}

export function retryUpload(key: string): void {
  set(key, { state: 'waiting' })
  sendNext()
}

/** Says what to do about names that are taken. */
export function settleTaken(keys: string[], how: 'replace' | 'keep'): void {
  for (const upload of uploads.get().filter((one) => keys.includes(one.key))) {
    const { key, taken } = upload
    const choice = how === 'replace' && taken?.isFile ? { replaces: taken.id } : { keepsBoth: true }
    set(key, { state: 'waiting', ...choice })
    void keep({ ...upload, ...choice })
  }
  sendNext()
}

export function cancelUploads(keys: string[]): void {
  const canceled = uploads.get().filter(({ key, state }) => keys.includes(key) && state !== 'elsewhere')
  uploads.set((all) => all.filter((one) => !canceled.includes(one)))
  for (const { key, projectId, uploadId, state } of canceled) {
    running.get(key)?.abort()
    void forgetUpload(key).then(() => releaseUpload(key))
    if (uploadId && state !== 'done') void forgetOnServer(projectId, uploadId)
  }
  sendNext()
}

async function forgetOnServer(projectId: string, uploadId: string): Promise<void> {
  // What stays there is removed after a week.
  await api
    .artifacts(callOf(projectId))
    .cancelUpload(uploadId)
    .catch(() => undefined)
}

connection.subscribe(() => {
  if (connection.get().isOnline)
    for (const { key, isOffline, state } of uploads.get()) if (isOffline && state === 'failed') retryUpload(key)
})

addEventListener('beforeunload', (event) => {
  const isLost = ({ state, file }: Upload) => ['waiting', 'sending'].includes(state) && file.size <= IN_PARTS_ABOVE
  if (uploads.get().some(isLost)) event.preventDefault()
})

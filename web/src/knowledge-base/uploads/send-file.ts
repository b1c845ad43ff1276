import type { Artifact } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf, SlipwayError } from '../../lib/client.ts'
import { withFreeName } from '../../lib/uploads/free-name.ts'

/** Files above this are sent in parts, so that they go on after a lost connection or a reload. */
export const IN_PARTS_ABOVE = 8 * 1024 * 1024

export interface Sending {
  projectId: string
  file: File
  name: string
  parentId: string | null
  /** Names the attempt to store this file, so that a repeated one stores it once. */
  key: string
  /** The file whose content it becomes. */
  replaces: string | undefined
  /** Takes another name if this one is taken. */
  keepsBoth: boolean
  uploadId: string | undefined
  signal: AbortSignal
  onProgress(sentBytes: number): void
  /** Called with the id under which parts are sent. */
  onBegun(uploadId: string): Promise<unknown>
}

/** Stores a file. A taken name is an error, unless both are kept. */
export async function sendFile(sending: Sending): Promise<Artifact> {
  const { name, file, keepsBoth } = sending
  const store = file.size > IN_PARTS_ABOVE ? await sendParts(sending) : sendWhole(sending)
  return keepsBoth ? withFreeName(name, true, store) : store(name, 1)
}

type Store = (name: string, count: number) => Promise<Artifact>

const sendWhole = ({ projectId, file, parentId, key, replaces, signal, onProgress }: Sending): Store => {
  const artifacts = api.artifacts(callOf(projectId))
  const options = { signal, onProgress: ({ sentBytes }: { sentBytes: number }) => onProgress(sentBytes) }
  const content_type = file.type || 'application/octet-stream'
  return async (name, count) => {
    if (replaces) return (await artifacts.replaceContent(replaces, { file, name, content_type }, options)).data
    const upload = { file, name, parent_id: parentId, content_type }
    const idempotencyKey = `${key} ${parentId} ${count}`
    return (await artifacts.create(upload, { ...options, idempotencyKey })).data
  }
}

async function sendParts({
  projectId,
  file,
  parentId,
  key,
  replaces,
  uploadId,
  signal,
  ...on
}: Sending): Promise<Store> {
  const artifacts = api.artifacts(callOf(projectId))
  const begun = uploadId ? await findUpload(projectId, uploadId, signal) : undefined
  const body = { size_bytes: file.size, content_type: file.type || 'application/octet-stream' }
  const { id, part_bytes, received } = begun ?? (await artifacts.beginUpload(body, { signal })).data
  if (!begun) await on.onBegun(id)
  const parts = Math.ceil(file.size / part_bytes)
  for (let number = 1; number <= parts; number++) {
    const start = (number - 1) * part_bytes
    const part = file.slice(start, start + part_bytes)
    if (!received.includes(number))
      await artifacts.putPart(id, number, part, {
        signal,
        onProgress: ({ sentBytes }) => on.onProgress(start + sentBytes),
      })
    on.onProgress(start + part.size)
  }
  return async (name, count) => {
    const finish = { name, parent_id: parentId, replaces }
    const idempotencyKey = `${key} ${replaces ?? parentId} ${count}`
    return (await artifacts.finishUpload(id, finish, { signal, idempotencyKey })).data
  }
}

/** Undefined if the server has forgotten it. */
const findUpload = async (projectId: string, id: string, signal: AbortSignal) => {
  try {
    return (await api.artifacts(callOf(projectId)).getUpload(id, { signal })).data
  } catch (err) {
    if (err instanceof SlipwayError && err.status === 404) return undefined
    throw err
  }
}

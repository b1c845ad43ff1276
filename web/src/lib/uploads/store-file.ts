import * as api from '@slipway/sdk/resources'
import { callOf, SlipwayError } from '../client.ts'
import { queryClient } from '../query-client.ts'
import { sessionQuery } from '../session.ts'
import { sizeOf } from './files.ts'
import { withFreeName } from './free-name.ts'

/**
 * A folder of the knowledge base: by its id, which is null for the root, or by its name at the root. A folder with a
 * name is added when the first file needs it.
 */
export type Folder = { id: string | null } | string

const folders = new Map<string, Promise<string>>()

async function idOfFolder(projectId: string, folder: Folder): Promise<string | null> {
  if (typeof folder !== 'string') return folder.id
  const key = `${projectId} ${folder}`
  const found = folders.get(key) ?? findOrAddFolder(projectId, folder)
  folders.set(key, found)
  found.catch(() => folders.delete(key))
  return found
}

async function findOrAddFolder(projectId: string, name: string): Promise<string> {
  const artifacts = api.artifacts(callOf(projectId))
  const find = async () => {
    const { items } = await artifacts.list({ type: 'folder', name, recursive: false, page_size: 100 })
    return items.find((one) => one.name.toLowerCase() === name.toLowerCase() && one.folder_path === '')?.id
  }
  const found = await find()
  if (found) return found
  try {
    return (await artifacts.create({ type: 'folder', name })).data.id
  } catch (err) {
    // Someone else has just added it.
    const added = err instanceof SlipwayError && err.status === 409 ? await find() : undefined
    if (!added) throw err
    return added
  }
}

export interface Storing {
  file: File
  folder: Folder
  name: string
  /** Names the attempt to store this file, so that a repeated one stores it once. */
  key: string
  signal?: AbortSignal
  /** Told the part that was sent, from 0 to 1. */
  onProgress?(sent: number): void
}

/** Stores a file in a folder of the knowledge base, under a name that is free. */
export async function storeFile(projectId: string, storing: Storing): Promise<{ id: string; name: string }> {
  const { file, folder, name, key, signal, onProgress } = storing
  await refuseTooLarge(file, name)
  const store = async (name: string, count: number) => {
    const parent_id = await idOfFolder(projectId, folder)
    const upload = { file, name, parent_id, content_type: file.type || 'application/octet-stream' }
    const { data } = await api.artifacts(callOf(projectId)).create(upload, {
      idempotencyKey: `${key} ${parent_id} ${count}`,
      signal,
      onProgress: ({ sentBytes }) => onProgress?.(file.size > 0 ? sentBytes / file.size : 1),
    })
    return data
  }
  try {
    return await withFreeName(name, true, store)
  } catch (err) {
    if (!(err instanceof SlipwayError && err.status === 404) || typeof folder !== 'string') throw err
    // The folder was deleted since it was found.
    folders.delete(`${projectId} ${folder}`)
    return withFreeName(name, true, store)
  }
}

/** The server would refuse it only after it was sent. Without an answer, the server decides. */
export async function refuseTooLarge(file: File, name: string): Promise<void> {
  const limit = (await queryClient.ensureQueryData(sessionQuery).catch(() => undefined))?.upload_limit_bytes
  if (limit === undefined || file.size <= limit) return
  throw new Error(
    `“${name}” has ${sizeOf(file.size)}, and a file may have at most ${sizeOf(limit)}. Choose a smaller one.`,
  )
}

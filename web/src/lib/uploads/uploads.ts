import { useEffect, useState } from 'react'
import { newId } from '../ids.ts'
import { createStore, useStore } from '../store.ts'
import { nameOfFile } from './files.ts'
import { type Folder, type Storing, storeFile } from './store-file.ts'

export interface Upload {
  /** Also names the attempt to store it. */
  key: string
  file: File
  name: string
  size: number
  /** The part that was sent, from 0 to 1. */
  sent: number
  /** Undefined until it is stored. */
  storedId?: string
  fault?: string
}

/** Stores a file elsewhere than in the knowledge base. */
type Store = (storing: Omit<Storing, 'folder'>) => Promise<{ id: string; name: string }>

/** Files that are stored at once, each in the folder of the knowledge base or by the function. */
export function createUploads(projectId: string, where: Folder | Store) {
  const store: Store =
    typeof where === 'function' ? where : (storing) => storeFile(projectId, { ...storing, folder: where })
  const files = createStore<Upload[]>([])
  const running = new Map<string, AbortController>()
  const set = (key: string, part: Partial<Upload>) =>
    files.set((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const without = (keys: string[]) => {
    for (const key of keys) running.get(key)?.abort()
    files.set((all) => all.filter(({ key }) => !keys.includes(key)))
  }

  async function send({ key, file, name }: Upload): Promise<void> {
    const request = new AbortController()
    running.set(key, request)
    const onProgress = (sent: number) => set(key, { sent })
    try {
      const stored = await store({ file, name, key, signal: request.signal, onProgress })
      set(key, { storedId: stored.id, name: stored.name })
    } catch (err) {
      set(key, { fault: (err as Error).message })
    }
    running.delete(key)
  }

  return {
    files,
    add(list: Iterable<File>) {
      const added = [...list].map((file) => ({ key: newId(), file, name: nameOfFile(file), size: file.size, sent: 0 }))
      files.set((all) => [...all, ...added])
      for (const one of added) void send(one)
    },
    retry({ fault: _, ...upload }: Upload) {
      const again = { ...upload, sent: 0 }
      files.set((all) => all.map((one) => (one.key === again.key ? again : one)))
      void send(again)
    },
    /** Takes a file off. One that is still being sent is canceled. */
    remove: ({ key }: Upload) => without([key]),
    clear: () => without(files.get().map(({ key }) => key)),
  }
}

/** The files that go with something that is being written. Whoever leaves it cancels those on their way. */
export function useUploads(projectId: string, where: Folder | Store) {
  const [uploads] = useState(() => createUploads(projectId, where))
  const files = useStore(uploads.files)
  useEffect(() => {
    return () => uploads.clear()
  }, [uploads])
  return {
    ...uploads,
    files,
    ids: files.flatMap(({ storedId }) => storedId ?? []),
    /** All are stored. */
    isDone: files.every(({ storedId }) => storedId),
  }
}

export type Uploads = ReturnType<typeof useUploads>

/** A large file on its way, as this device keeps it through a reload. */
export interface StoredUpload {
  key: string
  userId: string
  projectId: string
  file: File
  name: string
  folderId: string | null
  folderName: string
  path: string[]
  uploadId?: string | undefined
  /** The file whose content it becomes. */
  replaces?: string | undefined
  keepsBoth?: boolean | undefined
}

const STORE = 'files'
let opened: Promise<IDBDatabase> | undefined

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('slipway-uploads', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

const use = async <T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
  settled(run((await open()).transaction(STORE, mode).objectStore(STORE)))

/* A browser that keeps nothing loses an upload with the page. */

export const keepUpload = (upload: StoredUpload) =>
  use('readwrite', (store) => store.put(upload)).catch(() => undefined)
export const forgetUpload = (key: string) => use('readwrite', (store) => store.delete(key)).catch(() => undefined)

/** What an earlier page of this person left. What somebody else left is removed. */
export async function listStoredUploads(userId: string): Promise<StoredUpload[]> {
  const all = (await use('readonly', (store) => store.getAll()).catch(() => [])) as StoredUpload[]
  for (const { key } of all.filter((one) => one.userId !== userId)) void forgetUpload(key)
  return all.filter((one) => one.userId === userId)
}

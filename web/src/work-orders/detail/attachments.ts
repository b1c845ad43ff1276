import { useRef, useState } from 'react'
import { clientOf, SlipwayError } from '../../lib/client.ts'

const FOLDER = 'Work order files'
const MAX_NAMES_TRIED = 50

export interface Attachment {
  key: number
  name: string
  size: number
  /** Undefined until it is stored. */
  artifactId?: string
  fault?: string
  file?: File
}

const folders = new Map<string, Promise<string>>()

/** The folder of the knowledge base that holds what is attached to comments. */
function folderOf(projectId: string): Promise<string> {
  const found = folders.get(projectId) ?? findOrAddFolder(projectId)
  folders.set(projectId, found)
  found.catch(() => folders.delete(projectId))
  return found
}

async function findOrAddFolder(projectId: string): Promise<string> {
  const { artifacts } = clientOf(projectId)
  const find = async () => {
    const { items } = await artifacts.list({ type: 'folder', name: FOLDER, recursive: false, page_size: 100 })
    return items.find(({ name, folder_path }) => name.toLowerCase() === FOLDER.toLowerCase() && folder_path === '')?.id
  }
  const found = await find()
  if (found) return found
  try {
    return (await artifacts.create({ type: 'folder', name: FOLDER })).data.id
  } catch (err) {
    // Someone else has just added it.
    const added = err instanceof SlipwayError && err.status === 409 ? await find() : undefined
    if (!added) throw err
    return added
  }
}

/** Stores a file. A name that is taken gets a number, as on a desktop. */
async function store(projectId: string, file: File, name: string): Promise<{ id: string; name: string }> {
  const parent_id = await folderOf(projectId)
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 1; ; count++) {
    const tried = count === 1 ? name : `${stem} ${count}${ending}`
    try {
      const options = { timeoutMs: 0 }
      const upload = { file, name: tried, parent_id, content_type: file.type || 'application/octet-stream' }
      return (await clientOf(projectId).artifacts.create(upload, options)).data
    } catch (err) {
      if (!(err instanceof SlipwayError) || err.status !== 409 || count === MAX_NAMES_TRIED) throw err
    }
  }
}

/** Browsers name every pasted picture the same. */
const nameOf = (file: File) =>
  file.name && !/^image\.\w+$/.test(file.name)
    ? file.name.replaceAll('/', '-')
    : `Picture ${new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')}.${file.type.split('/')[1] ?? 'png'}`

/** The files of a comment that is being written. Each is stored at once. */
export function useAttachments(projectId: string, initial: Attachment[] = []) {
  const [files, setFiles] = useState(initial)
  const last = useRef(initial.length)
  const set = (key: number, part: Partial<Attachment>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))

  const upload = async ({ key, file, name }: Attachment) => {
    try {
      const stored = await store(projectId, file!, name)
      set(key, { artifactId: stored.id, name: stored.name })
    } catch (err) {
      set(key, { fault: (err as Error).message })
    }
  }
  return {
    files,
    isBusy: files.some(({ artifactId, fault }) => !artifactId && !fault),
    hasFaults: files.some(({ fault }) => fault),
    add(list: Iterable<File>) {
      const added = [...list].map((file) => ({ key: ++last.current, name: nameOf(file), size: file.size, file }))
      setFiles((all) => [...all, ...added])
      for (const one of added) void upload(one)
    },
    retry(one: Attachment) {
      const { fault: _, ...again } = one
      setFiles((all) => all.map((other) => (other.key === one.key ? again : other)))
      void upload(again)
    },
    remove: ({ key }: Attachment) => setFiles((all) => all.filter((one) => one.key !== key)),
    clear: () => setFiles([]),
  }
}

const KB = 1024
export const sizeOf = (bytes: number) =>
  bytes < KB
    ? `${bytes} B`
    : bytes < KB * KB
      ? `${Math.round(bytes / KB)} KB`
      : `${(bytes / KB / KB).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

import { useRef, useState } from 'react'
import { nameOfFile, storeFile } from '../../lib/stored-files.ts'

const FOLDER = 'Work order files'

export interface Attachment {
  key: number
  name: string
  size: number
  /** Undefined until it is stored. */
  artifactId?: string
  fault?: string
  file?: File
}

/** The files of a comment that is being written. Each is stored at once. */
export function useAttachments(projectId: string, initial: Attachment[] = []) {
  const [files, setFiles] = useState(initial)
  const last = useRef(initial.length)
  const set = (key: number, part: Partial<Attachment>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))

  const upload = async ({ key, file, name }: Attachment) => {
    try {
      const stored = await storeFile(projectId, file!, FOLDER, name)
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
      const added = [...list].map((file) => ({ key: ++last.current, name: nameOfFile(file), size: file.size, file }))
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

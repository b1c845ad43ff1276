import type { ClipboardEvent, DragEvent, SyntheticEvent } from 'react'

/** The files that someone pastes or drops. Office programs add a picture of the text that they copy: that is no file. */
export function filesOf(transfer: DataTransfer | null): File[] {
  const files = [...(transfer?.files ?? [])]
  const hasText =
    (transfer?.getData('text/html') ?? '').replaceAll(/<style\b[\s\S]*?<\/style>|<[^>]*>/gi, '').trim() !== ''
  return hasText ? files.filter(({ type }) => !type.startsWith('image/')) : files
}

/** What a field or a frame needs to take files that are pasted or dropped. */
export function takingFiles(take: (files: File[]) => void) {
  const from = (event: SyntheticEvent, transfer: DataTransfer) => {
    const files = event.isDefaultPrevented() ? [] : filesOf(transfer)
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  }
  return {
    onPaste: (event: ClipboardEvent) => from(event, event.clipboardData),
    onDrop: (event: DragEvent) => from(event, event.dataTransfer),
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
  }
}

/** Browsers name every pasted picture the same. */
export const nameOfFile = (file: File) =>
  file.name && !/^image\.\w+$/.test(file.name)
    ? file.name.replaceAll('/', '-')
    : `Picture ${new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')}.${file.type.split('/')[1] ?? 'png'}`

/** Where a text finds a file. A key can read there, and so can everyone who is signed in and in the project. */
export const addressOfFile = (id: string) => `/v2/external-api/artifacts/${id}/content`

/** A file as a text refers to it. */
export interface StoredFile {
  name: string
  src: string
  /** True for what can be shown in the text itself. */
  isPicture: boolean
}

export const altOf = ({ name }: StoredFile) => name.replace(/\.\w+$/, '')

export const markdownOf = (file: StoredFile) => {
  const plain = (text: string) => text.replaceAll(/[[\]\\]/g, '')
  return file.isPicture ? `![${plain(altOf(file))}](${file.src})` : `[${plain(file.name)}](${file.src})`
}

const KB = 1024
export const sizeOf = (bytes: number) =>
  bytes < KB
    ? `${bytes} B`
    : bytes < KB * KB
      ? `${Math.round(bytes / KB)} KB`
      : `${(bytes / KB / KB).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

import { addressOfFile, storeFile } from './stored-files.ts'
import { showToast } from './toasts.ts'

const FOLDER = 'Document files'

/** A file as a text refers to it. */
export interface StoredFile {
  name: string
  src: string
  /** True for what can be shown in the text itself. */
  isPicture: boolean
}

const SHOWN = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/

/** Stores a file, so that everyone who can read the text can open it. Says so if it cannot be stored. */
export async function storeForText(projectId: string, file: File): Promise<StoredFile | undefined> {
  try {
    const { id, name } = await storeFile(projectId, file, FOLDER)
    return { name, src: addressOfFile(id), isPicture: SHOWN.test(file.type) }
  } catch (err) {
    showToast({ text: `“${file.name}” was not stored`, detail: (err as Error).message, tone: 'error' })
    return undefined
  }
}

export const altOf = ({ name }: StoredFile) => name.replace(/\.\w+$/, '')

export const markdownOf = (file: StoredFile) => {
  const plain = (text: string) => text.replaceAll(/[[\]\\]/g, '')
  return file.isPicture ? `![${plain(altOf(file))}](${file.src})` : `[${plain(file.name)}](${file.src})`
}

/** The files that someone pastes or drops. Office programs add a picture of the text that they copy: that is no file. */
export function filesOf(transfer: DataTransfer | null): File[] {
  const files = [...(transfer?.files ?? [])]
  const hasText =
    (transfer?.getData('text/html') ?? '').replaceAll(/<style\b[\s\S]*?<\/style>|<[^>]*>/gi, '').trim() !== ''
  return hasText ? files.filter(({ type }) => !type.startsWith('image/')) : files
}

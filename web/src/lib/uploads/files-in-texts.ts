import { newId } from '../ids.ts'
import { showToast } from '../toasts.ts'
import { addressOfFile, nameOfFile, type StoredFile } from './files.ts'
import { storeFile } from './store-file.ts'

const FOLDER = 'Document files'

const SHOWN = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/

/** Stores files one by one, so that everyone who can read the text can open them. One that is not stored can be retried. */
export async function storeForText(
  projectId: string,
  files: File[],
  put: (stored: StoredFile) => void,
  onStoring?: (name: string | undefined) => void,
): Promise<void> {
  for (const file of files) {
    const storing = { file, folder: FOLDER, name: nameOfFile(file), key: newId() }
    const attempt = async () => {
      onStoring?.(file.name)
      try {
        const { id, name } = await storeFile(projectId, storing)
        put({ name, src: addressOfFile(id), isPicture: SHOWN.test(file.type) })
      } catch (err) {
        const retry = { label: 'Retry', run: () => void attempt() }
        showToast({
          text: `“${file.name}” was not stored`,
          detail: (err as Error).message,
          tone: 'error',
          action: retry,
        })
      }
      onStoring?.(undefined)
    }
    await attempt()
  }
}

import { showToast } from '../../app/toasts.tsx'
import { clientOf } from '../../lib/client.ts'

/** Stores a file in the knowledge base, so that everyone who can read the document can open it. */
export async function storeFile(projectId: string, file: File): Promise<{ src: string; alt: string } | undefined> {
  const client = clientOf(projectId)
  try {
    const { data } = await client.artifacts.create({ file, name: file.name || 'picture.png', content_type: file.type })
    const { pathname, search } = new URL(client.artifacts.contentUrl(data.id), location.href)
    return { src: pathname + search, alt: file.name.replace(/\.\w+$/, '') }
  } catch (err) {
    showToast({ text: `“${file.name}” was not stored`, detail: (err as Error).message, tone: 'error' })
    return undefined
  }
}

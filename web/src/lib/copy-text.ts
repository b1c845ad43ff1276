import { writeClipboard } from './clipboard.ts'
import { showToast } from './toasts.ts'

export async function copyText(text: string | Promise<string>, done?: string): Promise<boolean> {
  try {
    await writeClipboard(await text)
    if (done) showToast({ text: done })
    return true
  } catch (err) {
    const detail = err instanceof Error && err.name !== 'NotAllowedError' ? { detail: err.message } : {}
    showToast({ text: 'It was not copied. The browser may not allow it here.', ...detail, tone: 'error' })
    return false
  }
}

import { showToast } from '../../lib/toasts.ts'

/** A name that every file system takes. */
const fileName = (title: string) =>
  title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 100) || 'document'

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export type Format = 'markdown' | 'word'

/** Saves the text as a file. */
export async function download(format: Format, title: string, load: () => Promise<string>): Promise<void> {
  try {
    const text = await load()
    if (format === 'markdown') return save(new Blob([text], { type: 'text/markdown' }), `${fileName(title)}.md`)
    const { writeWord } = await import('./word.ts')
    save(await writeWord(title, text), `${fileName(title)}.docx`)
  } catch (err) {
    showToast({
      text: `“${title}” was not downloaded`,
      detail: (err as Error).message,
      tone: 'error',
      action: { label: 'Retry', run: () => void download(format, title, load) },
    })
  }
}

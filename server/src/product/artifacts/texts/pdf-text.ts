import './no-canvas.ts'
// Makes pdf.js work in this thread instead of starting another.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

const MAX_PAGES = 1_000

/** The words of a PDF, a page at a time. Nothing in it is run or drawn. */
export async function* textOfPdf(bytes: Buffer): AsyncGenerator<string> {
  const loading = getDocument({
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
  })
  try {
    const pdf = await loading.promise
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES); number++) {
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      yield items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
      page.cleanup()
    }
  } finally {
    await loading.destroy()
  }
}

import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, type RenderTask } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.ts'
import type { ShownFile } from './file.ts'
import { NoPreview } from './NoPreview.tsx'
import css from './Preview.module.css'
import { Controls, type Zoom, ZoomButtons } from './Zoom.tsx'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): unknown }
}

// The policy of the page lets only named code start a worker.
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('slipway-pdf', { createScriptURL: () => workerAddress })
const trusted = (policy?.createScriptURL(workerAddress) ?? workerAddress) as string
GlobalWorkerOptions.workerPort = new Worker(trusted, { type: 'module' })

const PADDING_PX = 40
/** A page that claims to be larger would take the memory of the tab. */
const MAX_PIXELS = 16_000_000

/** A PDF, a page at a time. It is drawn on a canvas: scripts and forms in it do nothing. */
export default function PdfPreview({ file }: { file: ShownFile }) {
  const [pdf, setPdf] = useState<PDFDocumentProxy>()
  const [fault, setFault] = useState<string>()
  const [page, setPage] = useState(1)
  const [zoom, setZoom] = useState<Zoom>()
  const fail = (err: Error) => setFault(reasonOf(err))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another file
  useEffect(() => {
    let isShown = true
    const loading = getDocument({
      url: file.address,
      isEvalSupported: false,
      enableXfa: false,
      useWasm: false,
      useSystemFonts: true,
      disableAutoFetch: true,
    })
    loading.promise.then(
      (found) => isShown && setPdf(found),
      (err) => isShown && fail(err),
    )
    return () => {
      isShown = false
      void loading.destroy()
    }
  }, [file.address])
  if (fault) return <NoPreview file={file}>{fault}</NoPreview>
  if (!pdf) return <div className={css.blank} aria-busy="true" />
  return (
    <div className={css.stage}>
      <Page pdf={pdf} number={page} zoom={zoom} label={`Page ${page} of ${file.name}`} onFault={fail} />
      <Controls>
        <button type="button" aria-label="Previous page" disabled={page === 1} onClick={() => setPage(page - 1)}>
          <IconChevronLeft size={16} stroke={1.75} />
        </button>
        <span role="status">
          {page} of {pdf.numPages}
        </span>
        <button type="button" aria-label="Next page" disabled={page === pdf.numPages} onClick={() => setPage(page + 1)}>
          <IconChevronRight size={16} stroke={1.75} />
        </button>
        <i className={css.rule} />
        <ZoomButtons zoom={zoom} onZoom={setZoom} />
      </Controls>
    </div>
  )
}

const reasonOf = ({ name }: Error) =>
  name === 'PasswordException'
    ? 'This PDF needs a password. Download it to read it.'
    : 'This PDF cannot be shown here. Download it to read it.'

interface PageProps {
  pdf: PDFDocumentProxy
  number: number
  zoom: Zoom
  label: string
  onFault(err: Error): void
}

function Page({ pdf, number, zoom, label, onFault }: PageProps) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const fail = useRef(onFault)
  fail.current = onFault
  useEffect(() => {
    let task: RenderTask | undefined
    let isShown = true
    const draw = async () => {
      const page = await pdf.getPage(number)
      const target = canvas.current
      if (!isShown || !target || !box.current) return
      const own = page.getViewport({ scale: 1 })
      const scale = zoom ?? Math.max(0.1, (box.current.clientWidth - PADDING_PX) / own.width)
      const most = Math.sqrt(MAX_PIXELS / (own.width * own.height))
      const viewport = page.getViewport({ scale: Math.min(scale * devicePixelRatio, most) })
      target.width = viewport.width
      target.height = viewport.height
      target.style.width = `${own.width * scale}px`
      task = page.render({ canvas: target, viewport })
      await task.promise
      target.dataset.drawn = String(number)
    }
    draw().catch((err: Error) => isShown && err.name !== 'RenderingCancelledException' && fail.current(err))
    return () => {
      isShown = false
      task?.cancel()
    }
  }, [pdf, number, zoom])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it.
    <div ref={box} className={css.scroll} tabIndex={0}>
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  )
}

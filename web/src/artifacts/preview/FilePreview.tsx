import { lazy, type ReactNode, Suspense } from 'react'
import { Boundary } from '../../ui/Boundary.tsx'
import { KindIcon } from '../KindIcon.tsx'
import { isTable } from '../kinds.ts'
import type { ShownFile } from './file.ts'
import { ImagePreview } from './ImagePreview.tsx'
import { NoPreview } from './NoPreview.tsx'
import css from './Preview.module.css'

const PdfPreview = lazy(() => import('./PdfPreview.tsx'))
const TablePreview = lazy(() => import('./TablePreview.tsx'))
const TextPreview = lazy(() => import('./TextPreview.tsx'))

/** Larger pictures would take the memory of the tab. */
const MAX_PICTURE_BYTES = 50 * 1024 * 1024

/** What is in a file, as far as a browser can show it. Nothing in a file is run. */
export const FilePreview = ({ file }: { file: ShownFile }) => (
  <Boundary of={file.address}>
    <Suspense fallback={<div className={css.blank} aria-busy="true" />}>
      <Shown file={file} />
    </Suspense>
  </Boundary>
)

/** Whether there is more to show than a button to download it. */
export const hasPreview = ({ kind, name, sizeBytes }: Pick<ShownFile, 'kind' | 'name' | 'sizeBytes'>) =>
  ['pdf', 'audio', 'video', 'text'].includes(kind) ||
  isTable({ kind, name }) ||
  (kind === 'image' && sizeBytes <= MAX_PICTURE_BYTES)

function Shown({ file }: { file: ShownFile }): ReactNode {
  const { kind, name, address } = file
  if (!hasPreview(file)) return <NoPreview file={file} />
  if (kind === 'image') return <ImagePreview file={file} />
  if (kind === 'pdf') return <PdfPreview key={address} file={file} />
  if (kind === 'audio')
    return (
      <div className={css.media}>
        <KindIcon kind="audio" name={name} size={40} />
        {/* biome-ignore lint/a11y/useMediaCaption: files of people come without captions. */}
        <audio controls preload="metadata" src={address} aria-label={name} />
      </div>
    )
  if (kind === 'video')
    return (
      <div className={css.media}>
        {/* biome-ignore lint/a11y/useMediaCaption: files of people come without captions. */}
        <video controls preload="metadata" src={address} aria-label={name} />
      </div>
    )
  return isTable(file) ? <TablePreview file={file} /> : <TextPreview file={file} />
}

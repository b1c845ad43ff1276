import * as api from '@slipway/sdk/resources'
import { lazy, type ReactNode, Suspense } from 'react'
import { callOf } from '../../lib/client.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { isTable, type Row } from '../artifact.ts'
import { KindIcon } from '../KindIcon.tsx'
import { ImagePreview } from './ImagePreview.tsx'
import { NoPreview } from './NoPreview.tsx'
import css from './Preview.module.css'

const DocumentText = lazy(() => import('./DocumentText.tsx'))
const PdfPreview = lazy(() => import('./PdfPreview.tsx'))
const TablePreview = lazy(() => import('./TablePreview.tsx'))
const TextPreview = lazy(() => import('./TextPreview.tsx'))

/** Larger pictures would take the memory of the tab. */
const MAX_PICTURE_BYTES = 50 * 1024 * 1024

/** What is in a file, as far as a browser can show it. Nothing in a file is run. */
export function Preview({ projectId, row }: { projectId: string; row: Row }) {
  return (
    <Boundary of={`${row.id} ${row.updated_at}`}>
      <Suspense fallback={<div className={css.blank} aria-busy="true" />}>
        <Shown projectId={projectId} row={row} />
      </Suspense>
    </Boundary>
  )
}

function Shown({ projectId, row }: { projectId: string; row: Row }): ReactNode {
  const { kind, name } = row
  // The address has the time, so that a browser reads content that was replaced.
  const address = `${api.artifacts(callOf(projectId)).contentUrl(row.id)}&at=${Date.parse(row.updated_at)}`
  if (kind === 'document') return <DocumentText key={row.id} projectId={projectId} row={row} />
  if (kind === 'image' && (row.size_bytes ?? 0) <= MAX_PICTURE_BYTES)
    return <ImagePreview row={row} address={address} />
  if (kind === 'pdf') return <PdfPreview key={address} projectId={projectId} row={row} address={address} />
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
  if (isTable(row)) return <TablePreview projectId={projectId} row={row} />
  if (kind === 'text') return <TextPreview projectId={projectId} row={row} />
  return <NoPreview projectId={projectId} row={row} />
}

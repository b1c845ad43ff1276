import * as api from '@slipway/sdk/resources'
import { lazy, Suspense } from 'react'
import { FilePreview } from '../../artifacts/preview/FilePreview.tsx'
import { callOf } from '../../lib/client.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import type { Row } from '../artifact.ts'
import css from './DocumentText.module.css'

const DocumentText = lazy(() => import('./DocumentText.tsx'))

/** A document in its editor, or what is in a file. */
export function Preview({ projectId, row }: { projectId: string; row: Row }) {
  const { id, name, kind, size_bytes, updated_at } = row
  if (kind === 'document')
    return (
      <Boundary of={`${id} ${updated_at}`}>
        <Suspense fallback={<div className={css.blank} aria-busy="true" />}>
          <DocumentText key={id} projectId={projectId} row={row} />
        </Suspense>
      </Boundary>
    )
  const { contentUrl, download } = api.artifacts(callOf(projectId))
  // The address has the time, so that a browser reads content that was replaced.
  const address = `${contentUrl(id)}&at=${Date.parse(updated_at)}`
  const read = (options: Parameters<typeof download>[1]) => download(id, options)
  return <FilePreview file={{ name, kind, sizeBytes: size_bytes ?? 0, address, read }} />
}

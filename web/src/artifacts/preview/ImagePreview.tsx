import { useState } from 'react'
import type { ShownFile } from './file.ts'
import css from './Preview.module.css'
import { Controls, type Zoom, ZoomButtons } from './Zoom.tsx'

/** A picture. A browser runs no scripts in an SVG that it shows this way. */
export function ImagePreview({ file }: { file: ShownFile }) {
  const [zoom, setZoom] = useState<Zoom>()
  const [width, setWidth] = useState(0)
  return (
    <div className={css.stage}>
      <div className={css.scroll}>
        <img
          src={file.address}
          alt={file.name}
          data-fit={zoom === undefined || undefined}
          onLoad={({ currentTarget }) => setWidth(currentTarget.naturalWidth)}
          {...(zoom !== undefined && width > 0 && { width: width * zoom })}
        />
      </div>
      <Controls>
        <ZoomButtons zoom={zoom} onZoom={setZoom} />
      </Controls>
    </div>
  )
}

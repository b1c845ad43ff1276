import type { ReactNode } from 'react'
import { IconMinus, IconPlus } from '../../ui/icons.ts'
import css from './Preview.module.css'

const STEPS = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4]

/** The size of a picture or a page. Undefined fits it into the view. */
export type Zoom = number | undefined

/** The buttons below a picture or a page. */
export const Controls = ({ children }: { children: ReactNode }) => (
  <div className={css.controls} role="toolbar" aria-label="View of the file">
    {children}
  </div>
)

export function ZoomButtons({ zoom, onZoom }: { zoom: Zoom; onZoom(zoom: Zoom): void }) {
  const smaller = STEPS.findLast((one) => one < (zoom ?? 1))
  const larger = STEPS.find((one) => one > (zoom ?? 1))
  return (
    <>
      <button type="button" aria-label="Smaller" disabled={smaller === undefined} onClick={() => onZoom(smaller)}>
        <IconMinus size={16} stroke={1.75} />
      </button>
      <button type="button" title="Fit into the view" onClick={() => onZoom(undefined)}>
        {zoom === undefined ? 'Fit' : `${zoom * 100} %`}
      </button>
      <button type="button" aria-label="Larger" disabled={larger === undefined} onClick={() => onZoom(larger)}>
        <IconPlus size={16} stroke={1.75} />
      </button>
    </>
  )
}

import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { IconLink, IconX } from '../../../ui/icons.ts'
import type { Decisions } from '../use-decisions.ts'
import css from './Swipe.module.css'

interface Props {
  theme: Decisions['suggested']
  onLink(): void
  onDismiss(): void
  children: ReactNode
}

/** From where on a finger moves the report rather than the page. */
const START_PX = 12
/** Past this share of the width, letting go decides. */
const ENOUGH = 1 / 3

/** A report that follows the finger: to the right it is linked, to the left dismissed. Before a third of the way it returns. */
export function Swipe({ theme, onLink, onDismiss, children }: Props) {
  const [by, setBy] = useState(0)
  /** The same, for the end of a movement that is not drawn yet. */
  const moved = useRef(0)
  const start = useRef<{ x: number; y: number; isMoving: boolean } | undefined>(undefined)
  const frame = useRef<HTMLDivElement>(null)
  const width = frame.current?.clientWidth ?? 1
  const isEnough = Math.abs(by) > width * ENOUGH
  const show = (next: number) => {
    moved.current = next
    setBy(next)
  }
  const move = (event: PointerEvent) => {
    const from = start.current
    if (!from) return
    const dx = event.clientX - from.x
    const dy = event.clientY - from.y
    if (!from.isMoving) {
      if (Math.abs(dy) > START_PX && Math.abs(dy) > Math.abs(dx)) start.current = undefined
      if (Math.abs(dx) < START_PX || Math.abs(dx) < Math.abs(dy)) return
      from.isMoving = true
      frame.current?.setPointerCapture(event.pointerId)
    }
    show(dx)
  }
  const end = (isDecided: boolean) => {
    const isMoving = start.current?.isMoving
    const last = moved.current
    start.current = undefined
    show(0)
    if (!isMoving || !isDecided || Math.abs(last) <= width * ENOUGH) return
    if (last > 0) onLink()
    else onDismiss()
  }
  const name = theme ? `Link to ${theme.display_id}` : 'Choose a theme'
  return (
    <div
      ref={frame}
      className={css.frame}
      onPointerDown={(event) => {
        if (event.pointerType !== 'mouse' && getSelection()?.isCollapsed !== false)
          start.current = { x: event.clientX, y: event.clientY, isMoving: false }
      }}
      onPointerMove={move}
      onPointerUp={() => end(true)}
      onPointerCancel={() => end(false)}
    >
      {by > 0 && (
        <div className={isEnough ? css.link : css.linkSoon} style={{ width: by }} aria-hidden="true">
          <IconLink size={18} stroke={1.75} />
          <strong>{name}</strong>
          {theme && <span>{theme.people_count} people</span>}
        </div>
      )}
      {by < 0 && (
        <div className={isEnough ? css.dismiss : css.dismissSoon} style={{ width: -by }} aria-hidden="true">
          <IconX size={18} stroke={1.75} />
          <strong>Dismiss</strong>
        </div>
      )}
      <div
        className={by === 0 ? css.still : css.moving}
        style={by === 0 ? undefined : { transform: `translateX(${by}px)` }}
      >
        {children}
      </div>
      {isEnough && (
        <p className={css.hint} role="status">
          Let go to {by > 0 ? 'link' : 'dismiss'}
        </p>
      )}
    </div>
  )
}

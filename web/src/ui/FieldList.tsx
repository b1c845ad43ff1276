import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import css from './FieldList.module.css'

interface Props {
  label: string
  /** Where the cursor is on the screen. Without it, the list is as wide as the positioned element around it. */
  box?: { left: number; top: number; bottom: number }
  /** How high the list becomes. Where it does not fit below, it stands above. */
  heightPx: number
  isBusy?: boolean
  /** Stands there instead of options. */
  none?: string | undefined
  children?: ReactNode
  foot?: ReactNode
}

export const LINE_PX = 34
export const MOST_PX = 330
const WIDTH_PX = 320
const EDGE_PX = 8
const GAP_PX = 6

/** A list of options at the cursor of a field, which keeps the focus. */
export function FieldList({ label, box, heightPx, isBusy, none, children, foot }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [isAbove, setIsAbove] = useState(false)
  useLayoutEffect(() => {
    const around = list.current!.offsetParent?.getBoundingClientRect()
    if (around) setIsAbove(isTight(around, heightPx))
  }, [heightPx])
  return (
    <div
      ref={list}
      className={cx(css.list, box ? css.floating : isAbove ? css.above : css.below)}
      style={box && placeAt(box, heightPx)}
      aria-busy={isBusy}
    >
      {/* A listbox must have options. */}
      {none === undefined ? (
        <div className={css.options} role="listbox" aria-label={label}>
          {children}
        </div>
      ) : (
        <p className={css.none} role="status">
          {none}
        </p>
      )}
      {foot && <div className={css.foot}>{foot}</div>}
    </div>
  )
}

/** There is no room below, and there is above. */
const isTight = ({ top, bottom }: { top: number; bottom: number }, heightPx: number) =>
  bottom + heightPx > innerHeight && top > heightPx

function placeAt(box: NonNullable<Props['box']>, heightPx: number) {
  const { left, top, bottom } = box
  return {
    left: Math.max(EDGE_PX, Math.min(left, innerWidth - WIDTH_PX - EDGE_PX)),
    ...(isTight(box, heightPx) ? { bottom: innerHeight - top + GAP_PX } : { top: bottom + GAP_PX }),
  }
}

interface OptionProps {
  isActive: boolean
  sign: ReactNode
  name: string
  hint?: string | undefined
  /** What one can press or type instead. */
  keys?: ReactNode
  onPick(): void
  onHover?(): void
}

export function FieldOption({ isActive, sign, name, hint, keys, onPick, onHover }: OptionProps) {
  const line = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <button
      ref={line}
      type="button"
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={cx(css.option, isActive && css.active)}
      onMouseDown={(event) => {
        event.preventDefault()
        onPick()
      }}
      onMouseMove={onHover}
    >
      <span className={css.sign}>{sign}</span>
      <span className={css.name}>{name}</span>
      {hint && <span className={css.hint}>{hint}</span>}
      {keys !== undefined && <span className={css.keys}>{keys}</span>}
    </button>
  )
}

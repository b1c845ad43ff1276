import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import css from './FieldList.module.css'

interface Props {
  label: string
  /** Where the cursor is on the screen. Without it, the list stands below the field. */
  box?: { left: number; top: number; bottom: number }
  /** How high the list becomes. Where it does not fit below the cursor, it stands above. */
  heightPx?: number
  isBusy?: boolean
  children: ReactNode
  foot?: ReactNode
}

const WIDTH_PX = 320
const EDGE_PX = 8
const GAP_PX = 6

/** A list of options at the cursor of a field, which keeps the focus. */
export function FieldList({ label, box, heightPx = 0, isBusy, children, foot }: Props) {
  return (
    <div
      className={cx(css.list, box ? css.floating : css.below)}
      style={box && placeAt(box, heightPx)}
      role="listbox"
      aria-label={label}
      aria-busy={isBusy}
    >
      <div className={css.options}>{children}</div>
      {foot && <div className={css.foot}>{foot}</div>}
    </div>
  )
}

function placeAt({ left, top, bottom }: NonNullable<Props['box']>, heightPx: number) {
  const isAbove = bottom + heightPx > innerHeight && top > heightPx
  return {
    left: Math.max(EDGE_PX, Math.min(left, innerWidth - WIDTH_PX - EDGE_PX)),
    ...(isAbove ? { bottom: innerHeight - top + GAP_PX } : { top: bottom + GAP_PX }),
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

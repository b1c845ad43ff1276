import type { KeyboardEvent, ReactNode } from 'react'
import css from './Segments.module.css'

interface Props<T extends string> {
  /** What is chosen: "View". */
  label: string
  options: readonly { value: T; label: string; icon?: ReactNode }[]
  value: T
  onChange(value: T): void
  onKeyDown?(event: KeyboardEvent): void
  className?: string | undefined
}

/** A choice between a few views, all of which are visible. */
export function Segments<T extends string>(props: Props<T>) {
  const { label, options, value, onChange, onKeyDown, className = '' } = props
  return (
    <fieldset className={`${css.segments} ${className}`} aria-label={label} onKeyDown={onKeyDown}>
      {options.map((one) => (
        <button key={one.value} type="button" aria-pressed={one.value === value} onClick={() => onChange(one.value)}>
          {one.icon}
          {one.label}
        </button>
      ))}
    </fieldset>
  )
}

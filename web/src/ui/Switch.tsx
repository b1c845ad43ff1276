import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import css from './Switch.module.css'

interface Props {
  checked: boolean
  onChange(checked: boolean): void
  children: ReactNode
  /** What it is called where its text is not shown. */
  label?: string
  /** Why it cannot be changed, or what it does. */
  title?: string | undefined
  disabled?: boolean
  className?: string | undefined
}

/** Something that is on or off, and changes at once. */
export const Switch = ({ checked, onChange, children, label, title, disabled, className }: Props) => (
  <label className={cx(css.switch, className)} title={title}>
    <input
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says itself whether it is checked.
      role="switch"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    {children}
  </label>
)

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import css from './Button.module.css'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'primary' | 'outline' | 'quiet'
  icon?: ReactNode
  /** Keeps the width and shows that the click is being handled. */
  busy?: boolean
}

export function Button({ look = 'outline', icon, busy, className, children, disabled, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(css.button, css[look], busy && css.busy, className)}
    >
      {icon}
      <span className={css.label}>{children}</span>
    </button>
  )
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string
  small?: boolean
}

/** A button with an icon only. The label is its name for assistive technology and its tooltip. */
export function IconButton({ label, small, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cx(css.icon, small && css.small, className)}
    >
      {children}
    </button>
  )
}

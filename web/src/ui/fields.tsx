import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { cx } from '../lib/cx.ts'
import css from './fields.module.css'
import { IconEye, IconEyeOff } from './icons.ts'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  label: string
  value: string
  onChange(value: string): void
  /** What is wrong with it. */
  fault?: string | undefined
  hint?: ReactNode
  /** At the end of the line of the label. */
  aside?: ReactNode
}

/** A labelled field with what is wrong with it below. */
export function Field({ label, value, onChange, fault, hint, aside, children, className, ...rest }: Props) {
  const id = useId()
  const describedBy = fault ? `${id}-fault` : hint ? `${id}-hint` : undefined
  return (
    <div className={css.field}>
      <div className={css.head}>
        <label className={css.label} htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      <div className={css.around}>
        <input
          {...rest}
          id={id}
          className={cx(css.input, className)}
          value={value}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.value)}
        />
        {children}
      </div>
      {fault ? (
        <p id={`${id}-fault`} className={css.fault} role="alert">
          {fault}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className={css.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** A field for a password that can be shown. */
export function PasswordField(props: Props) {
  const [shown, setShown] = useState(false)
  return (
    <Field {...props} type={shown ? 'text' : 'password'} className={cx(css.secret, !shown && css.dots)}>
      <button
        type="button"
        className={css.eye}
        aria-label={shown ? 'Hide the password' : 'Show the password'}
        onClick={() => setShown(!shown)}
      >
        {shown ? <IconEyeOff size={17} stroke={1.75} /> : <IconEye size={17} stroke={1.75} />}
      </button>
    </Field>
  )
}

interface SubmitProps {
  busy: boolean
  children: ReactNode
}

/** Fills the line, so that it keeps its width whatever it says. */
export function Submit({ busy, children }: SubmitProps) {
  return (
    <button type="submit" className={css.submit} aria-busy={busy || undefined} aria-disabled={busy || undefined}>
      {children}
    </button>
  )
}

import { cx } from '../lib/cx.ts'
import { IconSelector } from './icons.ts'
import { type Option, Pick } from './Pick.tsx'
import { PopUp } from './PopUp.tsx'
import css from './Select.module.css'

interface Props {
  label: string
  value: string
  options: Option[]
  onPick(value: string): void
  /** Called with what is typed, for values that are searched elsewhere. */
  onText?(text: string): void
  /** Why it cannot be changed. */
  fixed?: string | undefined
  className?: string | undefined
}

/** A value that is chosen from a short list. */
export function Select({ label, value, options, onPick, onText, fixed, className }: Props) {
  const shown = options.find((option) => option.value === value)?.label ?? value
  const classes = cx(css.select, className)
  if (fixed !== undefined)
    return (
      <span title={fixed}>
        <button type="button" className={classes} aria-label={`${label}: ${shown}. ${fixed}`} disabled>
          {shown}
          <IconSelector size={14} stroke={1.75} />
        </button>
      </span>
    )
  return (
    <PopUp
      target={({ toggle }) => (
        <button type="button" className={classes} aria-label={`${label}: ${shown}`} onClick={toggle}>
          {shown}
          <IconSelector size={14} stroke={1.75} />
        </button>
      )}
    >
      {(close) => (
        <Pick
          options={options}
          selected={[value]}
          {...(onText && { onText, placeholder: 'Search…' })}
          onPick={(picked) => {
            close()
            if (picked !== value) onPick(picked)
          }}
        />
      )}
    </PopUp>
  )
}

import type { ComponentProps, ReactNode } from 'react'
import css from './BatchBar.module.css'
import { IconButton } from './Button.tsx'
import { IconX } from './icons.ts'
import { Kbd } from './Kbd.tsx'

interface Props {
  /** What is selected: "Selected work orders". */
  label: string
  count: number
  onClear(): void
  children: ReactNode
}

/** What can be done with the selected rows. */
export function BatchBar({ label, count, onClear, children }: Props) {
  if (count === 0) return null
  return (
    <div className={css.bar} role="toolbar" aria-label={label}>
      <strong className={css.count}>{count} selected</strong>
      {children}
      <IconButton label="Clear the selection" onClick={onClear}>
        <IconX size={16} stroke={1.75} />
      </IconButton>
    </div>
  )
}

interface PartProps extends ComponentProps<'button'> {
  name: string
  icon?: ReactNode
  keys?: string
}

export const BatchAction = ({ name, icon, keys, ...rest }: PartProps) => (
  <button type="button" className={css.part} {...rest}>
    {icon}
    {name}
    {keys && <Kbd keys={keys} />}
  </button>
)

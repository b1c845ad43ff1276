import type { MouseEvent, ReactNode } from 'react'
import css from './BatchBar.module.css'
import { IconButton } from './Button.tsx'
import { IconX } from './icons.ts'
import { Kbd } from './Kbd.tsx'

interface Props {
  /** What it is about: "Selected work orders". */
  label: string
  count: number
  onClear(): void
  children: ReactNode
}

/** What can be done with the selected rows of a list. */
export const BatchBar = ({ label, count, onClear, children }: Props) => (
  <div className={css.bar} role="toolbar" aria-label={label}>
    <strong className={css.count}>{count} selected</strong>
    {children}
    <IconButton label="Clear the selection" onClick={onClear}>
      <IconX size={16} stroke={1.75} />
    </IconButton>
  </div>
)

interface PartProps {
  name: string
  icon?: ReactNode
  keys?: string
  onClick(event: MouseEvent): void
}

export const BatchPart = ({ name, icon, keys, onClick }: PartProps) => (
  <button type="button" className={css.part} onClick={onClick}>
    {icon}
    {name}
    {keys && <Kbd keys={keys} />}
  </button>
)

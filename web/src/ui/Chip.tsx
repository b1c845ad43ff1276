import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import css from './Chip.module.css'

/** A small rounded value in a row: a label, a phase. */
export function Chip({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <span className={cx(css.chip, className)}>{children}</span>
}

/** The words in it, which end in dots where there is no room. */
export const ChipText = ({ children }: { children: ReactNode }) => (
  <span className={css.text} dir="auto">
    {children}
  </span>
)

export const LABEL_COLORS: Record<string, string> = {
  gray: 'var(--gray)',
  red: 'var(--red)',
  orange: '#c2571a',
  yellow: 'var(--amber)',
  green: 'var(--green)',
  teal: 'var(--accent)',
  blue: 'var(--blue)',
  purple: 'var(--violet)',
  pink: '#b8407f',
}

export function Dot({ color }: { color: string }) {
  return <span className={css.dot} style={{ background: LABEL_COLORS[color] ?? color }} />
}

/** The number of a phase, in the place of an icon. */
export const NumberMark = ({ children }: { children: number }) => <span className={css.number}>{children}</span>

export function LabelChip({ label }: { label: { title: string; color: string } }) {
  return (
    <Chip>
      <Dot color={label.color} />
      <ChipText>{label.title}</ChipText>
    </Chip>
  )
}

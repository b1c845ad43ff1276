import type { ReactNode } from 'react'
import { useNaming } from '../use-naming.ts'
import css from './Tree.module.css'
import { indentOf } from './TreeLine.tsx'

interface Props {
  label: string
  icon: ReactNode
  depth: number
  value: string
  /** Called with nothing if it is given up, and with the title that was there when the field opened. */
  onDone(title: string | undefined, before: string): void
}

/** A line while it is being named. */
export function NameField({ label, icon, depth, value, onDone }: Props) {
  const naming = useNaming(value, onDone)
  return (
    <div className={css.node} style={indentOf(depth)} data-naming>
      <span className={css.sign}>{icon}</span>
      <input
        className={css.field}
        aria-label={label}
        placeholder="Title"
        onFocus={(event) => event.target.select()}
        {...naming}
      />
    </div>
  )
}

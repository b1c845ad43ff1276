import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import css from './Checklist.module.css'
import { IconCheck } from './icons.ts'

/** Steps that a person follows once. Each turns green when it is done, whoever does it. */
export const Checklist = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <ol className={cx(css.list, className)}>{children}</ol>
)

interface Props {
  /** `arrived` is the last one, once it is done. */
  state: 'later' | 'next' | 'waiting' | 'done' | 'arrived'
  title?: string
  children?: ReactNode
}

export const ChecklistStep = ({ state, title, children }: Props) => (
  <li className={cx(css.step, css[state])}>
    <span className={css.sign}>
      {(state === 'done' || state === 'arrived') && <IconCheck size={14} stroke={2.5} />}
    </span>
    {title !== undefined && (
      <h2 className={css.title} aria-live="polite">
        {title}
      </h2>
    )}
    {children}
  </li>
)

import type { ReactNode } from 'react'
import css from './SectionHead.module.css'

interface Props {
  title: string
  /** Stands beside the title. */
  beside?: ReactNode
  /** Stands at the end of the line. */
  children?: ReactNode
}

/** The head of a part of a page. */
export const SectionHead = ({ title, beside, children }: Props) => (
  <h2 className={css.head}>
    {title}
    {beside}
    <span className={css.grow} />
    {children}
  </h2>
)

/** How many there are, beside the title. */
export const Badge = ({ children }: { children: ReactNode }) => <span className={css.badge}>{children}</span>

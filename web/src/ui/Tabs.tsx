import type { ReactNode } from 'react'
import { formatCount } from '../lib/numbers.ts'
import css from './Tabs.module.css'

/** The views of a page. Each is a link with the class `tabClass`, because the address says which one is open. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className={css.tabs} aria-label={label}>
    {children}
  </nav>
)

export const tabClass = css.tab

interface FaceProps {
  icon?: ReactNode
  children: ReactNode
  count?: number | undefined
}

export const TabFace = ({ icon, children, count }: FaceProps) => (
  <>
    {icon}
    {children}
    {count !== undefined && <span className={css.count}>{formatCount(count)}</span>}
  </>
)

import type { ReactNode } from 'react'
import { IconAlertTriangle } from '../ui/icons.ts'
import css from './Notice.module.css'

/** Says above a text what became of it, with what one can do about it. */
export function Notice({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={css.notice} role="alert">
      <IconAlertTriangle size={16} className={css.sign} />
      <span className={css.text}>{children}</span>
      {actions && <span className={css.actions}>{actions}</span>}
    </div>
  )
}

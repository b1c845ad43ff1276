import { cx } from '../../lib/cx.ts'
import { inWords } from '../../lib/kinds.ts'
import { IconCircleX } from '../../ui/icons.ts'
import { StatusRing } from '../../ui/StatusRing.tsx'
import css from './signs.module.css'
import type { Status, Type } from './theme.ts'

export function StatusSign({ status, size = 16 }: { status: Status; size?: number }) {
  if (status === 'dismissed') return <IconCircleX size={size} stroke={1.75} className={css.dismissed} aria-hidden />
  if (status === 'unresolved')
    return (
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="var(--gray)" aria-hidden="true">
        <circle cx="8" cy="8" r="6.3" strokeWidth="1.7" />
      </svg>
    )
  return <StatusRing status={status === 'resolved' ? 'completed' : 'in_progress'} size={size} />
}

export const TypeBadge = ({ type }: { type: Type }) => <span className={cx(css.type, css[type])}>{inWords(type)}</span>

import type { ReactNode } from 'react'
import { useConnection } from '../lib/connection.ts'
import type { Write } from '../lib/outbox/index.ts'
import { IconClock } from './icons.ts'
import css from './Unsaved.module.css'

/** Says that a write has not reached the server yet. Nothing while it is on its way. */
export function Waits({ write, children }: { write: Write | undefined; children?: ReactNode }) {
  const { isOnline } = useConnection()
  if (write?.state !== 'waiting' || isOnline) return null
  return (
    <span className={css.waits}>
      <IconClock size={13} stroke={1.75} />
      {children ?? 'Waiting to save'}
    </span>
  )
}

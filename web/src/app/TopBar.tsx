import type { ReactNode } from 'react'
import { useConnection } from '../lib/connection.ts'
import { cx } from '../lib/cx.ts'
import { type LiveState, liveState } from '../lib/live.ts'
import { useStore } from '../lib/store.ts'
import { clockOf } from '../lib/time.ts'
import { UnsavedSign } from './OfflineBanner.tsx'
import css from './TopBar.module.css'

const NAMES: Record<LiveState, string> = { live: 'Live', connecting: 'Connecting', offline: 'Offline since' }

/** Where you are, whether changes of others arrive, and the main action of the page. */
export function TopBar({ path, tools, children }: { path: ReactNode; tools?: ReactNode; children?: ReactNode }) {
  const live = useStore(liveState)
  const { since } = useConnection()
  const name = live === 'offline' ? `${NAMES[live]} ${clockOf(since)}` : NAMES[live]
  return (
    <header className={css.bar}>
      <div className={css.path}>{path}</div>
      {tools}
      <UnsavedSign />
      <span className={css.live} role="status" aria-label={name}>
        <span className={cx(css.dot, css[live])} />
        <span className={css.state}>{name}</span>
      </span>
      {children}
    </header>
  )
}

import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { type LiveState, liveState } from '../lib/live.ts'
import { useStore } from '../lib/store.ts'
import css from './TopBar.module.css'

const NAMES: Record<LiveState, string> = { live: 'Live', connecting: 'Connecting', offline: 'Offline' }

/** Where you are, whether changes of others arrive, and the main action of the page. */
export function TopBar({ path, tools, children }: { path: ReactNode; tools?: ReactNode; children?: ReactNode }) {
  const live = useStore(liveState)
  return (
    <header className={css.bar}>
      <div className={css.path}>{path}</div>
      {tools}
      <span className={css.live} role="status" aria-label={NAMES[live]}>
        <span className={cx(css.dot, css[live])} />
        <span className={css.state}>{NAMES[live]}</span>
      </span>
      {children}
    </header>
  )
}

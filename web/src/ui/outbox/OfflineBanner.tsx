import { lazy, Suspense } from 'react'
import { useConnection } from '../../lib/connection.ts'
import { connectAgain } from '../../lib/live.ts'
import { discardWithUndo } from '../../lib/outbox/discard-write.ts'
import { comparisonOf, retryWrite, tryNow, type Write, writes } from '../../lib/outbox/index.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { clockOf } from '../../lib/time.ts'
import { unkept } from '../../lib/unkept.ts'
import { IconButton } from '../Button.tsx'
import { IconAlertTriangle, IconClock, IconWifiOff, IconX } from '../icons.ts'
import { PopUp } from '../PopUp.tsx'
import css from './OfflineBanner.module.css'

const CompareDialog = lazy(() => import('./CompareDialog.tsx'))
/** Conflicts that were closed without a choice. */
const putOff = createStore<ReadonlySet<string>>(new Set())

/** Asks about the first text that somebody else changed, too. */
export function Conflicts() {
  const later = useStore(putOff)
  const write = useStore(writes).find(
    (one) => one.state === 'conflict' && !later.has(one.id) && comparisonOf(one) !== undefined,
  )
  return (
    <Suspense>
      {write && (
        <CompareDialog key={write.id} write={write} onClose={() => putOff.set((old) => new Set(old).add(write.id))} />
      )}
    </Suspense>
  )
}

const count = (number: number) => (number === 1 ? '1 change waits' : `${number} changes wait`)

/** Says once that the server is away, and what waits for it. */
export function OfflineBanner() {
  const { isOnline } = useConnection()
  const waiting = useStore(writes).filter(({ state, waits }) => waits && (state === 'waiting' || state === 'sending'))
  const large = useStore(unkept)
  if (isOnline) return null
  const retry = () => {
    connectAgain()
    tryNow()
  }
  return (
    <div className={css.banner} role="status">
      <IconWifiOff size={16} stroke={1.75} />
      <strong>{navigator.onLine ? 'Slipway cannot be reached.' : 'You are offline.'}</strong>
      <span className={css.text}>
        You can read and edit
        {waiting.length === 0
          ? '.'
          : waiting.some(({ id }) => large.has(id))
            ? `; ${count(waiting.length)} in this tab only. Keep it open: the browser has no room for them.`
            : `; ${count(waiting.length)} on this device.`}
      </span>
      {waiting.length > 0 && (
        <PopUp
          place="bottom-end"
          target={({ toggle, open }) => (
            <button type="button" className={css.action} aria-expanded={open} onClick={toggle}>
              Show
            </button>
          )}
        >
          {() => <WriteList title="Waiting to be sent" list={waiting} />}
        </PopUp>
      )}
      <button type="button" className={css.action} onClick={retry}>
        Try now
      </button>
    </div>
  )
}

/** What was not saved and is not on this page: a small sign in the top bar. */
export function UnsavedSign() {
  const failed = useStore(writes).filter(({ state }) => state === 'failed' || state === 'conflict')
  if (failed.length === 0) return null
  return (
    <PopUp
      place="bottom-end"
      target={({ toggle, open }) => (
        <button type="button" className={css.sign} aria-expanded={open} onClick={toggle}>
          <IconAlertTriangle size={14} stroke={1.75} />
          {failed.length} not saved
        </button>
      )}
    >
      {() => <WriteList title="Not saved" list={failed} />}
    </PopUp>
  )
}

function WriteList({ title, list }: { title: string; list: Write[] }) {
  const large = useStore(unkept)
  return (
    <div className={css.list}>
      <h2>
        {title} <span>{list.length}</span>
      </h2>
      <ul>
        {list.map((write) => (
          <li key={write.id}>
            {write.state === 'failed' ? <IconAlertTriangle size={15} stroke={1.75} /> : <IconClock size={15} />}
            <span className={css.what} title={write.fault?.message}>
              {write.text}
              {write.state === 'failed' && <small>{write.fault?.message}</small>}
              {large.has(write.id) && <small>Too large for this browser’s storage: keep this tab open.</small>}
            </span>
            {write.state === 'failed' ? (
              <button type="button" className={css.again} onClick={() => retryWrite(write.id)}>
                Retry
              </button>
            ) : write.state === 'conflict' ? (
              <button type="button" className={css.again} onClick={() => putOff.set(new Set())}>
                Compare
              </button>
            ) : (
              <time>{clockOf(write.at)}</time>
            )}
            <IconButton label={`Discard: ${write.text}`} small onClick={() => discardWithUndo(write.id)}>
              <IconX size={13} />
            </IconButton>
          </li>
        ))}
      </ul>
    </div>
  )
}

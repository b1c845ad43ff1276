import { IconAlertTriangle, IconCloud, IconCloudOff } from '../ui/icons.ts'
import type { LiveStatus } from './live-document.ts'
import css from './SaveState.module.css'
import type { SourceState } from './source/markdown-source.ts'

interface Props {
  status: LiveStatus
  /** The state of the markdown view, while it is shown. */
  source: SourceState | undefined
  mayWrite: boolean
}

/** Whether what was typed is on the server. */
export function SaveState({ status, source, mayWrite }: Props) {
  const { isLoaded } = status
  // The markdown view says why, above its text.
  const isRefused = source?.is === 'invalid' || source?.is === 'conflict'
  const fault = source ? undefined : status.notStored
  if (fault || isRefused)
    return (
      <span className={css.fault} role="status" title={fault}>
        <IconAlertTriangle size={15} stroke={1.75} className={css.sign} />
        <span className={css.why}>Not saved{fault && `: ${fault}`}</span>
      </span>
    )
  const isAway = source ? source.is === 'waiting' : status.connection !== 'connected' && isLoaded
  const Sign = isAway ? IconCloudOff : IconCloud
  return (
    <span className={css.saved} role="status" data-away={isAway || undefined}>
      <Sign size={16} stroke={1.75} />{' '}
      <span className={css.state}>{source && mayWrite ? SOURCE_STATES[source.is] : stateOf(status, mayWrite)}</span>
    </span>
  )
}

const SOURCE_STATES: Partial<Record<SourceState['is'], string>> = {
  saved: 'Saved',
  saving: 'Saving…',
  waiting: 'Waiting to save, kept on this device',
}

function stateOf({ isLoaded, connection, ended, hasUnsent, isKept }: LiveStatus, mayWrite: boolean): string {
  if (!isLoaded) return 'Loading'
  if (ended === 'deleted') return 'Deleted'
  const isAway = connection !== 'connected'
  if (!mayWrite) return isAway ? 'Offline' : 'Read only'
  if (!isAway) return hasUnsent ? 'Saving…' : 'Saved'
  if (!hasUnsent) return 'Offline'
  return isKept ? 'Waiting to save, kept on this device' : 'Waiting to save'
}

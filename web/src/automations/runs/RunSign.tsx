import { cx } from '../../lib/cx.ts'
import { IconBan, IconCheck, IconClock, IconHourglass, IconLoader2, IconX } from '../../ui/icons.ts'
import type { Run } from '../api.ts'
import css from './RunSign.module.css'

const SIGNS = {
  scheduled: IconClock,
  running: IconLoader2,
  succeeded: IconCheck,
  failed: IconX,
  cancelled: IconBan,
  waiting: IconHourglass,
}

const NAMES = {
  scheduled: 'Scheduled',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  waiting: 'Waits for approval',
}

/** How a run goes. */
export function RunSign({
  status,
  isWaiting = false,
  size = 20,
}: {
  status: Run['status']
  isWaiting?: boolean
  size?: number
}) {
  const state = isWaiting && status === 'succeeded' ? 'waiting' : status
  const Sign = SIGNS[state]
  return (
    <span
      className={cx(css.sign, css[state])}
      style={{ width: size, height: size }}
      role="img"
      aria-label={NAMES[state]}
      title={NAMES[state]}
    >
      <Sign size={size * 0.65} stroke={2.25} />
    </span>
  )
}

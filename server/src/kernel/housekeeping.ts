import { DELIVER_EVENT, deliverEvent } from './events.ts'
import { forgetOldWindows } from './rate-limit.ts'
import { forgetOldReplays } from './replays.ts'
import type { Slice } from './slice.ts'

/** The jobs of the kernel itself: delivering events, and removing what is only of use for a while. */
export const housekeeping: Slice = {
  name: 'housekeeping',
  jobs: {
    [DELIVER_EVENT]: { run: deliverEvent },
    forget_old_replays: { cron: '17 * * * *', run: (_payload, { db }) => forgetOldReplays(db) },
    forget_old_rate_windows: { cron: '27 * * * *', run: (_payload, { db }) => forgetOldWindows(db) },
  },
}

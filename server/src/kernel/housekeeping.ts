import { forgetOldWindows } from './rate-limit.ts'
import { forgetOldReplays } from './replays.ts'
import type { Slice } from './slice.ts'

/** Removes what is only of use for a while. */
export const housekeeping: Slice = {
  name: 'housekeeping',
  jobs: {
    forget_old_replays: { cron: '17 * * * *', run: (_payload, { db }) => forgetOldReplays(db) },
    forget_old_rate_windows: { cron: '27 * * * *', run: (_payload, { db }) => forgetOldWindows(db) },
  },
}

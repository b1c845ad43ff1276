import { forgetOldReplays } from '../database/replays.ts'
import { DELIVER_EVENT, deliverEvent } from '../events.ts'
import { forgetOldWindows } from '../rate-limit.ts'
import type { Slice } from '../slice.ts'
import { UNCLAIMED_AFTER_MS } from '../storage/index.ts'

/** The jobs of the kernel: deliver events and delete expired rows. */
export const housekeeping: Slice = {
  name: 'housekeeping',
  jobs: {
    [DELIVER_EVENT]: { run: deliverEvent },
    remove_bytes: { run: (payload, { store }) => store.remove((payload as { keys: string[] }).keys) },
    remove_unfinished_uploads: {
      cron: '37 3 * * *',
      catchUp: true,
      run: (_payload, { store }) => store.removeUnfinished(new Date(Date.now() - UNCLAIMED_AFTER_MS)),
    },
    forget_old_replays: { cron: '17 * * * *', run: (_payload, { db }) => forgetOldReplays(db) },
    forget_old_rate_windows: { cron: '27 * * * *', run: (_payload, { db }) => forgetOldWindows(db) },
  },
}

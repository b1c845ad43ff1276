import type { Slice } from '../../kernel/slice.ts'
import { transferEvents } from './events.ts'
import { registerTransferRoutes } from './external-api.ts'
import { RUN_TRANSFER, removeOldFiles, resumeTransfers, runTransfer } from './run.ts'
import { importSettings } from './settings.ts'
import { STORE_PLACE } from './transfer.ts'

/**
 * Exports of whole projects, and imports: of such an export, of work orders from other trackers, of folders of
 * markdown. The slices say themselves how their rows travel (`moved.ts`); this one packs, checks and unpacks them.
 */
export const transfers: Slice = {
  name: 'transfers',
  events: [transferEvents],
  externalApi: registerTransferRoutes,
  storePlace: STORE_PLACE,
  settings: importSettings,
  jobs: {
    [RUN_TRANSFER]: { run: runTransfer },
    resume_transfers: { cron: '* * * * *', run: (_payload, deps) => resumeTransfers(deps) },
    remove_old_exports: { cron: '57 * * * *', run: (_payload, deps) => removeOldFiles(deps) },
  },
}

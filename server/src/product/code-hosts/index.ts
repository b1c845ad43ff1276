import type { Slice } from '../../kernel/slice.ts'
import { codeEvents, codeHostEvents } from './events.ts'
import { registerCodeHostRoutes } from './external-api.ts'
import { forgetOldReceipts } from './queries.ts'

/** Receives pushes and pull requests from GitHub and GitLab, and links them to work orders. */
export const codeHosts: Slice = {
  name: 'code-hosts',
  events: [codeHostEvents, codeEvents],
  externalApi: registerCodeHostRoutes,
  jobs: {
    forget_old_code_receipts: { cron: '57 3 * * *', catchUp: true, run: (_payload, { db }) => forgetOldReceipts(db) },
  },
}

export { movedCode } from './moved.ts'
export { registerCodeHostReceivers } from './receivers.ts'

import type { Slice } from '../../kernel/slice.ts'
import { registerCodeHostRoutes } from './external-api.ts'
import { forgetOldReceipts } from './queries.ts'

/** GitHub and GitLab, which tell of pushes and pull requests, and what of that belongs to which work order. */
export const codeHosts: Slice = {
  name: 'code-hosts',
  externalApi: registerCodeHostRoutes,
  jobs: {
    forget_old_code_receipts: { cron: '57 3 * * *', catchUp: true, run: (_payload, { db }) => forgetOldReceipts(db) },
  },
}

export { movedCode } from './moved.ts'
export { registerCodeHostReceivers } from './receivers.ts'

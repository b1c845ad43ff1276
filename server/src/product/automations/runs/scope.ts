import type { AgentScope } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/database/index.ts'
import type { Automation } from '../automation.ts'
import { intersect } from '../bounds.ts'
import { findAutomation } from '../queries.ts'
import type { Run } from './run.ts'

/** The automations whose agents made it, changed it or started the run, as they are now. */
export async function findPayers(db: Db, projectId: string, { id, payerIds }: Automation, { bounds }: Run) {
  const ids = new Set([...payerIds, ...(bounds?.payerIds ?? [])])
  ids.delete(id)
  const found = await Promise.all([...ids].map((one) => findAutomation(db, projectId, one)))
  return found.filter((one) => one !== undefined)
}

/** What the automation may do, and all that led to the run may do. */
export function scopeOf({ toolKit, grants, approval }: Automation, { bounds }: Run, payers: Automation[]) {
  const own = { toolKit, grants: grants.filter((grant) => grant.isConnected) }
  const scope = [...(bounds ? [bounds] : []), ...payers].reduce(intersect, own)
  return {
    toolKit: scope.toolKit,
    payerIds: payers.map(({ id }) => id),
    integrationIds: scope.grants.map(({ id }) => id),
    integrationTools: Object.fromEntries(scope.grants.flatMap(({ id, tools }) => (tools ? [[id, tools]] : []))),
    needsApproval: [approval, ...payers.map((payer) => payer.approval)].includes('required'),
  }
}

/** The agent of a run, for what is done for it later. */
export const agentOf = (automation: Automation, run: Run, payers: Automation[]): AgentScope => ({
  ...scopeOf(automation, run, payers),
  chainId: run.chainId,
  depth: run.depth,
  via: { automationId: automation.id, automationName: automation.name, runId: run.id },
  sparesPeople: automation.builtIn !== null,
  proposes: run.proposes,
})

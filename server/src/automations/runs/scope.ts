import type { AgentScope } from '../../kernel/context.ts'
import type { Automation } from '../automation.ts'
import { intersect } from '../bounds.ts'
import type { Run } from './run.ts'

/** What the automation may do, and the agent that started the run, if one did. */
export function scopeOf({ id, toolKit, grants, payerIds }: Automation, { bounds }: Run) {
  const own = { toolKit, grants: grants.filter((grant) => grant.isConnected) }
  const scope = bounds ? intersect(own, bounds) : own
  return {
    toolKit: scope.toolKit,
    payerIds: [...new Set([...payerIds, ...(bounds?.payerIds ?? [])])].filter((payerId) => payerId !== id),
    integrationIds: scope.grants.map(({ id }) => id),
    integrationTools: Object.fromEntries(scope.grants.flatMap(({ id, tools }) => (tools ? [[id, tools]] : []))),
  }
}

/** The agent of a run, for what is done for it later. */
export const agentOf = (automation: Automation, run: Run): AgentScope => ({
  ...scopeOf(automation, run),
  chainId: run.chainId,
  depth: run.depth,
  via: { automationId: automation.id, automationName: automation.name, runId: run.id },
  sparesPeople: automation.builtIn !== null,
  proposes: run.proposes,
  needsApproval: automation.approval === 'required',
})

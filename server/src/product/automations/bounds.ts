import type { AgentScope, Ctx } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { isLooser, isWiderKit, narrowKit, type ToolKit } from '../conversations/index.ts'
import {
  type Automation,
  type AutomationChange,
  type AutomationValues,
  type GrantDraft,
  presentFields,
} from './automation.ts'

/** What a run cannot exceed, whatever its automation may do. */
export interface Bounds {
  toolKit: ToolKit
  grants: GrantDraft[]
  /** The automations whose budgets it counts toward. */
  payerIds?: string[]
}

/** Whatever an agent makes or starts counts toward the budgets that the agent counts toward. */
export const payersOf = ({ via, payerIds }: AgentScope) => [...(via ? [via.automationId] : []), ...payerIds]

export const boundsOf = (agent: AgentScope): Bounds => ({
  toolKit: agent.toolKit as ToolKit,
  grants: agent.integrationIds.map((id) => ({ id, tools: agent.integrationTools[id]?.slice() ?? null })),
  payerIds: payersOf(agent),
})

/** What both allow. */
export const intersect = (one: Bounds, other: Bounds): Bounds => ({
  toolKit: narrowKit(one.toolKit, other.toolKit),
  grants: one.grants.flatMap(({ id, tools }) => {
    const same = other.grants.find((grant) => grant.id === id)
    return same ? [{ id, tools: sharedTools(tools, same.tools) }] : []
  }),
})

const sharedTools = (some: string[] | null, others: string[] | null) =>
  some === null ? others : others === null ? some : some.filter((tool) => others.includes(tool))

const hasWiderGrants = (grants: GrantDraft[], bounds: Bounds) =>
  grants.some(({ id, tools }) => {
    const own = bounds.grants.find((grant) => grant.id === id)
    if (!own) return true
    return own.tools !== null && (tools === null || tools.some((tool) => !own.tools!.includes(tool)))
  })

/** An agent passes its own kit on and cannot grant what it was not granted. */
export function boundValues<V extends Pick<AutomationValues, 'toolKit' | 'grants' | 'approval'>>(
  ctx: Ctx,
  values: V,
): V {
  if (!ctx.agent) return values
  const bounds = boundsOf(ctx.agent)
  if (hasWiderGrants(values.grants, bounds)) throw beyondGrants()
  const approval = ctx.agent.needsApproval ? 'required' : values.approval
  return { ...values, approval, toolKit: narrowKit(values.toolKit, bounds.toolKit) }
}

/** Returns the change with the agent's own kit added, or refuses it. People are not bound. */
export function boundChange(ctx: Ctx, automation: Automation, lineage: string[], change: AutomationChange) {
  const { agent } = ctx
  if (!agent) return change
  const bounds = boundsOf(agent)
  // To switch it off is no harm. To switch it on again is up to a person, because one may have switched it off.
  const switchesOn = change.enabled === true && !automation.enabled
  const fields = (
    ['toolKit', 'grants', 'userPrompt', 'triggers', 'model', 'concurrency', 'approval', 'budget', 'enabled'] as const
  ).filter((field) => (field === 'enabled' ? switchesOn : change[field] !== undefined))
  if (fields.length > 0 && ledTo(agent, lineage, automation))
    throw forbidden(
      'changes_itself',
      `An agent cannot change ${presentFields(fields).join(', ')} of the automation that it works for, or of one that led to it.`,
    )
  if (fields.length > 0 && isWider(ctx, automation, bounds)) throw wider(automation)
  if (change.grants && hasWiderGrants(change.grants, bounds)) throw beyondGrants()
  const loosens = change.approval === 'none' && automation.approval === 'required'
  if (loosens || (change.budget && isLooser(change.budget, automation.budget)))
    throw forbidden('loosens', 'Only a person can raise a budget or take away that its runs need approval.')
  return change.toolKit ? { ...change, toolKit: narrowKit(change.toolKit, bounds.toolKit) } : change
}

/** An agent cannot delete what bounds it. */
export function refuseOwn({ agent }: Ctx, automation: Automation, lineage: string[]): void {
  if (agent && ledTo(agent, lineage, automation))
    throw forbidden(
      'changes_itself',
      `An agent cannot delete "${automation.name}": it works for it, or was made or started by it.`,
    )
}

/** True of the automation that the agent works for, and of those that made, changed or started that one. */
const ledTo = (agent: AgentScope, lineage: string[], { id }: Automation) =>
  [...payersOf(agent), ...lineage].includes(id)

/** True if the automation may do something that the agent may not, or acts for someone else. */
const isWider = ({ actor }: Ctx, automation: Automation, bounds: Bounds) =>
  automation.owner?.id !== actor.userId ||
  isWiderKit(automation.toolKit, bounds.toolKit) ||
  hasWiderGrants(automation.grants, bounds)

/** An agent starts only what acts for the same person. The run is bound by the agent's kit. */
export function refuseForeign({ agent, actor }: Ctx, automation: Automation): void {
  if (agent && automation.builtIn === null && automation.owner?.id !== actor.userId) throw wider(automation)
}

const beyondGrants = () =>
  forbidden('beyond_grants', 'An agent can grant only those integrations and tools that were granted to itself.')

const wider = ({ name }: Automation) =>
  forbidden('wider', `"${name}" may do more than this agent, or acts for someone else. Ask a person to change it.`)

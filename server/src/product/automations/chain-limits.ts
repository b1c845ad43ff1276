import type { TxCtx } from '../../kernel/context.ts'
import { lockChain } from './runs/chain-queries.ts'
import { automationSettings } from './settings.ts'

interface Place {
  chainId: string
  depth: number
}

/** Returns why the chain may not go on, or undefined. */
export async function chainFault(ctx: TxCtx, { chainId, depth }: Place, what: 'run' | 'automation' | 'change') {
  const { chainDepth, chainRunsPerHour } = ctx.wiring.settings.of(automationSettings)
  const { isStopped, runs, made } = await lockChain(ctx.db, ctx.actor.projectId, chainId)
  if (isStopped) return 'A person has stopped the chain of runs that led to this.'
  if (depth > chainDepth)
    return `Agents have led to each other ${chainDepth} times in a row, which is the limit. A person has to go on from here.`
  if (what === 'run' && runs >= chainRunsPerHour)
    return `One cause has led to ${chainRunsPerHour} runs within an hour, which is the limit.`
  if (what === 'automation' && made >= chainRunsPerHour)
    return `One cause has led to ${chainRunsPerHour} new automations within an hour, which is the limit.`
  return undefined
}

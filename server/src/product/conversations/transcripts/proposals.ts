import type { AgentScope, Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import type { Deed } from '../deeds/deed.ts'
import { listDeeds } from '../deeds/deed-queries.ts'
import { acceptDeed, rejectDeed } from '../deeds/deeds.ts'
import { findTalk } from '../queries.ts'
import { recordTalk } from '../talk.ts'
import { lockOwnTalk } from './keeping.ts'

/** Does what the agent of a conversation proposed, or rejects it. Only the person who talks to it decides. */
export async function decideProposal(ctx: Ctx, id: string, proposalId: string, isAccepted: boolean): Promise<void> {
  const { projectId, userId } = ctx.actor
  if (ctx.agent) throw conflict('only_people', 'Only a person decides about what agents propose or did.')
  const talk = await inTransaction(ctx, (ctx) => lockOwnTalk(ctx, id))
  const all = await listDeeds(ctx.db, projectId, talk.id)
  const deed = all.find((one) => one.id === proposalId.toLowerCase())
  if (!deed) throw notFound('proposal of this conversation', proposalId)
  if (isAccepted) {
    const { toolKit } = (await findTalk(ctx.db, projectId, userId!, id))!
    await acceptDeed({ ...ctx, ifMatch: undefined, agent: scopeOf(talk.id, toolKit) }, deed, all)
  } else await rejectDeed(ctx, deed, all)
  await inTransaction(ctx, (ctx) => recordTalk(ctx, talk, 'updated'))
}

const scopeOf = (chainId: string, toolKit: AgentScope['toolKit']): AgentScope => ({
  toolKit,
  integrationIds: [],
  integrationTools: {},
  chainId,
  depth: 0,
  payerIds: [],
  sparesPeople: false,
  proposes: false,
  needsApproval: false,
})

const STATES: Partial<Record<Deed['status'], string>> = {
  proposed: 'not decided',
  accepted: 'accepted and done',
  rejected: 'rejected',
}

/** What an agent is told about its proposals: their results in the conversation are older than the decisions. */
export async function wordsOnProposals(ctx: Pick<Ctx, 'db'>, projectId: string, id: string) {
  const all = (await listDeeds(ctx.db, projectId, id)).slice(-50)
  if (all.length === 0) return undefined
  const lines = all.map((deed) => {
    const made = deed.status === 'accepted' && deed.resourceId ? `, its id is ${deed.resourceId}` : ''
    return `- ${deed.id} (${deed.tool}): ${STATES[deed.status] ?? deed.status}${made}`
  })
  return `What became of your proposals in this conversation:\n${lines.join('\n')}`
}

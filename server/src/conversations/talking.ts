import { checkGrants } from '../integrations/index.ts'
import type { Ctx, TxCtx } from '../kernel/context.ts'
import { inTransaction } from '../kernel/database/index.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { checkBudgets, priceFault } from './budgets/budgets.ts'
import { type Conversation, tooManyTalks, turnActive } from './conversation.ts'
import { findTalk } from './queries.ts'
import { sayChange, sayText } from './reading/broadcast.ts'
import { loadConversation } from './reading/reading.ts'
import { cleaned } from './text.ts'
import type { ToolKit } from './tools/tool-kit.ts'
import { openConversation, runTurnWithSubagents } from './turns/agent.ts'
import { stopHere } from './turns/live-turns.ts'
import { failed } from './turns/turn-end.ts'
import { askToStop, beginTurn, lockAndCountTalks, requestOfTurn, type TurnRef } from './turns/turn-queries.ts'
import { appendEvents } from './writes.ts'

interface NewConversation {
  message: string
  title: string | undefined
  model: string | null
  integrationIds: string[]
  integrationTools: Record<string, string[]>
  toolKit: ToolKit
}

/** Creates a conversation with a person's message and starts its turn, without running it. */
export async function startConversation(ctx: Ctx, wanted: NewConversation): Promise<TurnRef> {
  const { projectId, userId } = ctx.actor
  await checkGrants(ctx, userId!, wanted.integrationIds, '/integration_ids')
  await refuseWithoutBudget(ctx, wanted.model)
  return inTransaction(ctx, async (ctx) => {
    await refuseTooManyTalks(ctx)
    return openConversation(ctx, {
      projectId,
      ownerId: userId!,
      origin: 'user',
      title: wanted.title ?? '',
      prompt: wanted.message,
      toolKit: wanted.toolKit,
      integrationIds: wanted.integrationIds,
      integrationTools: wanted.integrationTools,
      model: wanted.model,
    })
  })
}

/** Continues a conversation with a person's message. Only one turn runs at a time. */
export async function sendMessage(ctx: Ctx, conversationId: string, message: string): Promise<TurnRef> {
  const { projectId, userId } = ctx.actor
  const known = await findTalk(ctx.db, projectId, userId!, conversationId)
  if (!known) throw notFound('agent conversation', conversationId)
  await refuseWithoutBudget(ctx, known.model)
  return inTransaction(ctx, async (ctx) => {
    const talk = await findTalk(ctx.db, projectId, userId!, conversationId)
    if (talk?.origin !== 'user')
      throw conflict('not_a_talk', 'Only a conversation that a person began can be continued. Start a new one.')
    await refuseTooManyTalks(ctx)
    const ref = { projectId, conversationId: conversationId.toLowerCase(), turnId: uuidv7() }
    if (!(await beginTurn(ctx.db, ref))) throw turnActive(conversationId)
    await appendEvents(ctx.db, ref, [{ kind: 'user', text: cleaned(message), isFinal: true }])
    return ref
  })
}

/** The usage of people's conversations counts as well, and they wait as runs do. */
async function refuseWithoutBudget(ctx: Ctx, model: string | null): Promise<void> {
  const fault = await priceFault(ctx, ctx.actor.projectId, [], model)
  if (fault !== undefined) throw conflict('no_price', fault)
  const reason = await checkBudgets(ctx, ctx.actor)
  if (reason !== undefined) throw conflict('budget_used_up', reason)
}

const MAX_TALKS_OF_PERSON = 5
const MAX_TALKS_OF_PROJECT = 20

/**
 * Turns of people run at once, side by side. Without a limit, one person could take the model and the node from
 * everyone else.
 */
async function refuseTooManyTalks({ db, actor }: TxCtx): Promise<void> {
  const { ofPerson, ofProject } = await lockAndCountTalks(db, actor.projectId, actor.userId!)
  if (ofPerson >= MAX_TALKS_OF_PERSON)
    throw tooManyTalks(`Your agent is busy in ${ofPerson} conversations of this project, which is the limit.`)
  if (ofProject >= MAX_TALKS_OF_PROJECT)
    throw tooManyTalks(`Agents are busy in ${ofProject} conversations of this project, which is the limit.`)
}

/** Asks the agent to stop, on whichever node it runs. Does nothing if no turn is running. */
export async function stopTurn(ctx: Ctx, id: string): Promise<Conversation> {
  const conversation = await loadConversation(ctx, id)
  if (await askToStop(ctx.db, ctx.actor.projectId, id)) stopHere(conversation.turnId!)
  return conversation
}

export interface Talks {
  /** Runs a turn that was started, beside the request that started it. */
  run(ctx: Ctx, ref: TurnRef): void
  /** Ends the running turns and waits until that is stored. */
  close(): Promise<void>
}

/** The turns of people that run on this node. */
export function createTalks(): Talks {
  const running = new Set<Promise<unknown>>()
  const stop = new AbortController()
  return {
    run(ctx, ref) {
      const run = runTalk(ctx, ref, stop.signal)
        .catch((err: unknown) => ctx.log.error({ err, conversation_id: ref.conversationId }, 'a turn failed'))
        .finally(() => {
          running.delete(run)
          sayChange(ref.conversationId)
        })
      running.add(run)
    },
    async close() {
      stop.abort(failed('The server was stopped in the middle.'))
      await Promise.all(running)
    },
  }
}

async function runTalk({ db, wiring, store, log, actor }: Ctx, ref: TurnRef, signal: AbortSignal): Promise<void> {
  const ownerId = actor.userId!
  const talk = await findTalk(db, ref.projectId, ownerId, ref.conversationId)
  if (!talk) return
  const deps = { db, wiring, store, log }
  const onSpent = () => checkBudgets(deps, actor)
  const wanted = { ...talk, origin: 'user' as const, ownerId, requestId: requestOfTurn(ref.turnId), signal, onSpent }
  await runTurnWithSubagents(deps, ref, wanted, {
    onText: (text) => sayText(ref.conversationId, text),
    onEvents: () => sayChange(ref.conversationId),
  })
}

import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { checkGrants } from '../integrations/index.ts'
import { checkBudgets, priceFault } from './budgets.ts'
import { type Conversation, tooManyTalks, turnActive } from './conversation.ts'
import { findTalk } from './queries.ts'
import { sayChange, sayText } from './reading/broadcast.ts'
import { loadConversation } from './reading/reading.ts'
import { recordTalk } from './talk.ts'
import { cleaned } from './text.ts'
import type { ToolKit } from './tool-kit.ts'
import { copyEvents, isQuestion, markBranch } from './transcripts/branch-queries.ts'
import { lockOwnTalk } from './transcripts/keeping.ts'
import { wordsOnProposals } from './transcripts/proposals.ts'
import { lockTalk, type OwnTalk, updateTalk } from './transcripts/transcript-queries.ts'
import { handedOver } from './turn-end.ts'
import { openConversation, runTurnWithSubagents } from './turns/agent.ts'
import { stopHere } from './turns/live-turns.ts'
import type { TurnOutcome } from './turns/turn.ts'
import { askToStop, beginTurn, lockAndCountTalks, requestOfTurn, type TurnRef } from './turns/turn-queries.ts'
import { appendEvents, insertConversation } from './writes.ts'

interface NewConversation {
  message: string
  title: string | undefined
  model: string | null
  integrationIds: string[]
  integrationTools: Record<string, string[]>
  toolKit: ToolKit
  asksFirst: boolean
}

/** Creates a conversation with a person's message and starts its turn, without running it. */
export async function startConversation(ctx: Ctx, wanted: NewConversation): Promise<TurnRef> {
  const { projectId, userId } = ctx.actor
  await checkGrants(ctx, userId!, wanted.integrationIds, '/integration_ids')
  await refuseWithoutBudget(ctx, wanted.model)
  return inTransaction(ctx, async (ctx) => {
    await refuseTooManyTalks(ctx)
    const ref = await openConversation(ctx, {
      projectId,
      ownerId: userId!,
      origin: 'user',
      title: wanted.title ?? '',
      prompt: wanted.message,
      toolKit: wanted.toolKit,
      integrationIds: wanted.integrationIds,
      integrationTools: wanted.integrationTools,
      model: wanted.model,
      asksFirst: wanted.asksFirst,
    })
    await recordTalk(ctx, { id: ref.conversationId, ownerId: userId!, isShared: false }, 'created')
    return ref
  })
}

/**
 * Continues a conversation with a person's message. Only one turn runs at a time: while the agent is busy, the message is
 * refused or, with `queues`, sent when it has answered. Returns undefined if it was queued.
 */
export async function sendMessage(
  ctx: Ctx,
  conversationId: string,
  message: string,
  queues = false,
): Promise<TurnRef | undefined> {
  const { projectId, userId } = ctx.actor
  const known = await findTalk(ctx.db, projectId, userId!, conversationId)
  if (!known) throw notFound('agent conversation', conversationId)
  await refuseWithoutBudget(ctx, known.model)
  return inTransaction(ctx, async (ctx) => {
    // Locked, so that a turn that ends now finds what is queued here.
    const talk = await lockOwnTalk(ctx, conversationId)
    if (talk.origin !== 'user')
      throw conflict('not_a_talk', 'Only a conversation that a person began can be continued. Start a new one.')
    const ref = await tryTurn(ctx, talk, message)
    if (ref) return ref
    if (!queues) throw turnActive(conversationId)
    if (talk.queued.length >= MAX_QUEUED)
      throw conflict('queue_full', `${MAX_QUEUED} messages wait for the agent already. Wait until it has answered.`)
    const queued = [...talk.queued, { id: uuidv7(), text: cleaned(message) }]
    await updateTalk(ctx.db, projectId, { ...talk, queued })
    await recordTalk(ctx, talk, 'updated')
    return undefined
  })
}

const MAX_QUEUED = 20

/** Begins a turn with a message. Undefined if one is running. */
async function tryTurn(ctx: TxCtx, talk: OwnTalk, message: string): Promise<TurnRef | undefined> {
  await refuseTooManyTalks(ctx, talk.id)
  const ref = { projectId: ctx.actor.projectId, conversationId: talk.id, turnId: uuidv7() }
  if (!(await beginTurn(ctx.db, ref))) return undefined
  await appendEvents(ctx.db, ref, [{ kind: 'user', text: cleaned(message), isFinal: true }])
  await recordTalk(ctx, talk, 'turn_began')
  return ref
}

/** Begins the turn of the first message that waits, if there is one. */
async function takeNext(ctx: Ctx, { projectId, conversationId, turnId }: TurnRef): Promise<TurnRef | undefined> {
  return inTransaction({ ...ctx, requestId: requestOfTurn(turnId) }, async (ctx) => {
    const talk = await lockTalk(ctx.db, projectId, conversationId)
    const [next, ...queued] = talk?.queued ?? []
    if (!talk || !next) return undefined
    const ref = await tryTurn(ctx, talk, next.text)
    if (ref) await updateTalk(ctx.db, projectId, { ...talk, queued })
    return ref
  })
}

/**
 * Asks again with another message in the place of an earlier one. It is a conversation of its own, which begins with what
 * was said before that message, so nothing of the first is lost.
 */
export async function branchConversation(ctx: Ctx, id: string, number: number, message: string): Promise<TurnRef> {
  const { projectId, userId } = ctx.actor
  const talk = await findTalk(ctx.db, projectId, userId!, id)
  if (!talk) throw notFound('agent conversation', id)
  await refuseWithoutBudget(ctx, talk.model)
  return inTransaction(ctx, async (ctx) => {
    const from = await lockOwnTalk(ctx, id)
    if (talk.origin !== 'user')
      throw conflict('not_a_talk', 'Only a conversation that a person began has branches. Start a new one.')
    if (!(await isQuestion(ctx.db, projectId, from.id, number)))
      throw notFound('message of yours in this conversation', String(number))
    await refuseTooManyTalks(ctx)
    const branch = { ...talk, id: uuidv7(), origin: 'user' as const, title: from.title, automation: undefined }
    await insertConversation(ctx.db, { ...branch, projectId, ownerId: userId!, parentId: null })
    await copyEvents(ctx.db, projectId, from.id, branch.id, number)
    await markBranch(ctx.db, projectId, branch.id, from.id, number)
    await recordTalk(ctx, from, 'updated')
    return (await tryTurn(ctx, { ...from, id: branch.id, isShared: false }, message))!
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
async function refuseTooManyTalks({ db, actor }: TxCtx, except?: string): Promise<void> {
  const { ofPerson, ofProject } = await lockAndCountTalks(db, actor.projectId, actor.userId!, except)
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
  run(ctx: Ctx, ref: TurnRef, isTakenUp?: boolean): void
  /** Leaves the running turns to whichever server takes them up, and waits until that is stored. */
  close(): Promise<void>
}

/** The turns of people that run on this node. */
export function createTalks(): Talks {
  const running = new Set<Promise<unknown>>()
  const stop = new AbortController()
  return {
    run(ctx, ref, isTakenUp = false) {
      const run = runTalks(ctx, ref, stop.signal, isTakenUp)
        .catch((err: unknown) => ctx.log.error({ err, conversation_id: ref.conversationId }, 'a turn failed'))
        .finally(() => running.delete(run))
      running.add(run)
    },
    async close() {
      stop.abort(handedOver())
      await Promise.all(running)
    },
  }
}

/** Runs a turn, and those of the messages that were queued in the meantime. After a failure they wait for the person. */
async function runTalks(ctx: Ctx, first: TurnRef, signal: AbortSignal, isTakenUp: boolean): Promise<void> {
  for (let ref: TurnRef | undefined = first; ref; ) {
    const goesOn: boolean = isTakenUp && ref === first
    const outcome: TurnOutcome | undefined = await runTalk(ctx, ref, signal, goesOn).finally(() =>
      sayChange(ref!.conversationId),
    )
    await tellEnd(ctx, ref)
    const mayGoOn: boolean = !signal.aborted && outcome !== undefined && outcome.status !== 'failed'
    ref = mayGoOn && (await checkBudgets(ctx, ctx.actor)) === undefined ? await takeNext(ctx, ref) : undefined
    if (ref) sayChange(ref.conversationId)
  }
}

const tellEnd = (ctx: Ctx, { projectId, conversationId, turnId }: TurnRef) =>
  inTransaction(ctx, async (ctx) => {
    const talk = await lockTalk(ctx.db, projectId, conversationId)
    // One that another server takes up has not ended.
    if (talk && talk.turnId !== turnId) await recordTalk(ctx, talk, 'turn_ended', requestOfTurn(turnId))
  })

/** What the agent of a person is told besides what every agent is. */
const citing = (projectId: string) =>
  `When you name something of the project, link to it, so that it can be opened: a work order as [WO-12](/p/${projectId}/work-orders/12), a theme as [TH-3](/p/${projectId}/feedback/themes/3), a report as [FB-4](/p/${projectId}/feedback/4), a requirements document or blueprint as [its title](/p/${projectId}/requirements/ID) or [its title](/p/${projectId}/blueprints/ID), with ?line=22 after the ID for a line, a file as [its name](/p/${projectId}/knowledge-base/ID). Use numbers and ids that tools gave you. Answer in markdown.`

async function runTalk(
  { db, wiring, store, log, actor }: Ctx,
  ref: TurnRef,
  signal: AbortSignal,
  isTakenUp: boolean,
): Promise<TurnOutcome | undefined> {
  const ownerId = actor.userId!
  const { projectId, conversationId } = ref
  const talk = await findTalk(db, projectId, ownerId, conversationId)
  if (!talk) return undefined
  const deps = { db, wiring, store, log }
  const onSpent = () => checkBudgets(deps, actor)
  const proposals = talk.asksFirst ? await wordsOnProposals(deps, projectId, conversationId) : undefined
  const wanted = {
    ...talk,
    origin: 'user' as const,
    ownerId,
    proposes: talk.asksFirst,
    needsApproval: talk.asksFirst,
    system: [citing(projectId), proposals].filter(Boolean).join('\n\n'),
    requestId: requestOfTurn(ref.turnId),
    signal,
    isTakenUp,
    onSpent,
  }
  return runTurnWithSubagents(deps, ref, wanted, {
    onText: (text) => sayText(conversationId, text),
    onEvents: () => sayChange(conversationId),
  })
}

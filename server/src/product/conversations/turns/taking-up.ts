import type { Ctx } from '../../../kernel/context.ts'
import { forProject, inTransaction, type Tx } from '../../../kernel/database/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { memberCtx } from '../../projects/index.ts'
import { listEvents } from '../queries.ts'
import { recordTalk } from '../talk.ts'
import { appendEvents, type NewEvent } from '../writes.ts'
import { toCall, toolEvent, unansweredCalls } from './calls.ts'
import * as queries from './turn-queries.ts'

/** A turn that stops the server each time must not do so forever. */
const MAX_TAKEN_UP = 3

export interface TakenUp {
  ref: queries.TurnRef
  /** Of the person whose turn it is. */
  ctx: Ctx
}

/**
 * Takes up the turns of people whose server has stopped, so that they go on from the last stored step. Turns of runs and of
 * subagents are ended: whoever began those decides what follows.
 */
export async function takeUpTurns(deps: JobDeps): Promise<TakenUp[]> {
  const taken: TakenUp[] = []
  for (const ref of await queries.listAbandonedTurns(deps.db)) {
    const one = await takeUp({ ...deps, db: forProject(deps.db, ref.projectId) }, ref)
    if (one) taken.push(one)
  }
  return taken
}

/** Undefined if the turn does not go on here. */
async function takeUp(deps: JobDeps, ref: queries.TurnRef): Promise<TakenUp | undefined> {
  const ctx = await inTransaction(deps, async (deps) => {
    const { db } = deps
    const turn = await queries.lockAbandonedTurn(db, ref)
    if (!turn) return undefined
    const owner = { projectId: ref.projectId, userId: turn.ownerId, origin: 'user' as const }
    const ctx = turn.origin === 'user' ? await memberCtx(deps, owner, queries.requestOfTurn(ref.turnId)) : undefined
    const events = await listEvents(db, ref.projectId, ref.conversationId)
    const last = events.at(-1)
    const isAnswered = last?.kind === 'assistant' && last.isFinal
    if (!ctx || isAnswered || turn.isStopped || turn.takenUp >= MAX_TAKEN_UP) {
      if (!isAnswered) await appendEvents(db, ref, [endWords(turn)])
      await queries.endTurn(db, ref)
      if (ctx) await recordTalk(ctx, turn, 'turn_ended')
      return undefined
    }
    const next = { ...ref, turnId: uuidv7() }
    const lost = last && (await lostResult(db, ref, events, last.createdAt))
    await queries.renewTurn(db, ref, next.turnId)
    if (lost) await appendEvents(db, next, [lost])
    await recordTalk(ctx, turn, 'turn_began')
    return { ...ctx, next }
  })
  if (!ctx) return undefined
  const { next, ...own } = ctx
  return { ref: next, ctx: { ...own, db: deps.db } }
}

const endWords = ({ isStopped }: queries.AbandonedTurn): NewEvent => ({
  kind: 'assistant',
  text: isStopped ? 'It was stopped.' : 'I could not finish. The server that I ran on stopped in the middle.',
  isFinal: true,
})

/**
 * The result of a call that wrote something before the server stopped, which must not be made again. Every write is in the
 * event log with the id of its turn, so a call without a trace there is made again.
 */
async function lostResult(
  db: Tx,
  ref: queries.TurnRef,
  events: Awaited<ReturnType<typeof listEvents>>,
  since: string,
): Promise<NewEvent | undefined> {
  const [event] = unansweredCalls(events)
  const written = event ? await queries.listWrittenSince(db, ref, since) : []
  if (!event || written.length === 0) return undefined
  const list = written.map(({ what, id }) => `${what} ${id}`).join(', ')
  const text = `The server stopped during this call, so its answer is lost. It did this: ${list}. Read what is there before you make the call again.`
  return toolEvent('tool_result', toCall(event), text, 'failed')
}

import { inTransaction } from '../../../kernel/database/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { turnActive } from '../conversation.ts'
import { lastReply } from '../queries.ts'
import { sayChange, sayText } from '../reading/broadcast.ts'
import { cleaned, titleOf } from '../text.ts'
import {
  appendEvents,
  insertConversation,
  type NewConversation,
  type NewEvent,
  refreshConversation,
} from '../writes.ts'
import { delegateTool } from './delegate.ts'
import { nothingSpent } from './spending.ts'
import { runTurn, type TurnListener, type TurnOutcome, type TurnWanted } from './turn.ts'
import { beginTurn, endTurn, requestOfTurn, type TurnRef } from './turn-queries.ts'

export interface AgentRequest extends Omit<TurnWanted, 'requestId' | 'more' | 'via' | 'spent'> {
  projectId: string
  /** `runId` lets the conversation show the state of the run it belongs to. */
  automation?: { id: string; name: string; runId?: string }
  title: string
  prompt: string
  /** A conversation that `scheduleConversation` made. */
  conversationId?: string
  /** Follows the prompt. It becomes known only when the run starts, after the prompt may have been stored. */
  addition?: string
}

export interface AgentOutcome extends TurnOutcome {
  conversationId: string
}

/** Runs an agent to its end. Failures of the model or of a tool do not throw: they are outcomes. */
export async function runAgent(deps: JobDeps, request: AgentRequest): Promise<AgentOutcome> {
  const ref = await inTransaction(deps, async (deps) => {
    // The automation may have been changed while the run was waiting.
    if (request.conversationId !== undefined)
      await refreshConversation(
        deps.db,
        request.projectId,
        toRow(request, request.conversationId, null),
        cleaned(request.prompt),
      )
    return openConversation(deps, request)
  })
  const requestId = request.automation?.runId ?? requestOfTurn(ref.turnId)
  const { automation } = request
  const via = automation?.runId && {
    automationId: automation.id,
    automationName: automation.name,
    runId: automation.runId,
  }
  // A subagent has a conversation of its own.
  const { conversationId: _conversationId, addition: _addition, ...own } = request
  const wanted = { ...own, requestId, via: via || undefined }
  const listener = {
    onText: (text: string) => sayText(ref.conversationId, text),
    onEvents: () => sayChange(ref.conversationId),
  }
  try {
    return { conversationId: ref.conversationId, ...(await runTurnWithSubagents(deps, ref, wanted, listener)) }
  } finally {
    sayChange(ref.conversationId)
  }
}

/** Runs a turn whose agent can delegate to subagents, which cannot delegate further. Their changes count as its own. */
export function runTurnWithSubagents(
  deps: JobDeps,
  ref: TurnRef,
  wanted: TurnWanted,
  listener?: TurnListener,
): Promise<TurnOutcome> {
  const spent = nothingSpent()
  const delegate = delegateTool(async ({ title, task }, signal) => {
    const chain = wanted.chain ?? { id: ref.conversationId, depth: 0 }
    const subagent = { ...wanted, origin: 'subagent' as const, actsAs: wanted.origin, chain, signal, spent }
    const talk = { ...subagent, projectId: ref.projectId, title, prompt: task }
    const child = await openConversation(deps, talk, ref.conversationId)
    const outcome = await runTurn(deps, child, subagent)
    return { outcome, reply: await lastReply(deps.db, ref.projectId, child.conversationId) }
  })
  return runTurn(deps, ref, { ...wanted, spent, more: [delegate] }, listener)
}

type NewTalk = Pick<
  AgentRequest,
  | 'projectId'
  | 'ownerId'
  | 'origin'
  | 'automation'
  | 'title'
  | 'prompt'
  | 'toolKit'
  | 'integrationIds'
  | 'integrationTools'
  | 'model'
  | 'conversationId'
  | 'addition'
> & { asksFirst?: boolean }

/** Creates the conversation with its prompt, unless it exists, and starts its turn, in one transaction. */
export function openConversation(deps: JobDeps, talk: NewTalk, parentId: string | null = null): Promise<TurnRef> {
  const { projectId, conversationId = uuidv7() } = talk
  const ref = { projectId, conversationId, turnId: uuidv7() }
  return inTransaction(deps, async ({ db }) => {
    if (talk.conversationId === undefined) await insertConversation(db, toRow(talk, conversationId, parentId))
    if (!(await beginTurn(db, ref))) throw turnActive(conversationId)
    const said = [talk.conversationId === undefined ? talk.prompt : undefined, talk.addition]
    const events = said.flatMap((text) =>
      text === undefined ? [] : [{ kind: 'user' as const, text: cleaned(text), isFinal: true }],
    )
    if (events.length > 0) await appendEvents(db, ref, events)
    return ref
  })
}

const toRow = (talk: NewTalk, id: string, parentId: string | null): NewConversation => ({
  projectId: talk.projectId,
  id,
  ownerId: talk.ownerId,
  origin: talk.origin,
  parentId,
  title: titleOf(talk.title || talk.prompt),
  model: talk.model,
  toolKit: talk.toolKit,
  integrationIds: talk.integrationIds,
  integrationTools: talk.integrationTools ?? {},
  automation: talk.automation,
  asksFirst: talk.asksFirst ?? false,
})

/** Creates the conversation of a run that happens later. That run names it in its request. */
export async function scheduleConversation(
  deps: JobDeps,
  talk: Pick<AgentRequest, 'projectId' | 'ownerId' | 'automation' | 'title' | 'prompt'>,
): Promise<{ conversationId: string }> {
  return inTransaction(deps, async (deps) => {
    const ref = await openConversation(deps, {
      ...talk,
      origin: 'automation',
      toolKit: {},
      integrationIds: [],
      model: null,
    })
    await endTurn(deps.db, ref)
    return { conversationId: ref.conversationId }
  })
}

export interface WorkDone extends Pick<AgentRequest, 'projectId' | 'ownerId' | 'automation' | 'title' | 'prompt'> {
  /** Tells a person what was done and why. */
  reply: string
  status: 'succeeded' | 'failed' | 'cancelled'
  conversationId?: string
}

/** Records a conversation about work that was done without a model. */
export const recordWork = (deps: JobDeps, work: WorkDone): Promise<{ conversationId: string }> =>
  recordTurn(deps, { ...work, origin: 'automation' }, [{ kind: 'assistant', text: work.reply, isFinal: true }])

type TurnDone = Pick<
  AgentRequest,
  'projectId' | 'ownerId' | 'origin' | 'automation' | 'title' | 'prompt' | 'conversationId' | 'addition'
>

/** Records a turn that has already ended, in a new conversation or, with `addition` as its question, in a known one. */
export function recordTurn(deps: JobDeps, turn: TurnDone, events: NewEvent[]): Promise<{ conversationId: string }> {
  return inTransaction(deps, async (deps) => {
    const ref = await openConversation(deps, { ...turn, toolKit: {}, integrationIds: [], model: null })
    await appendEvents(
      deps.db,
      ref,
      events.map((event) => ({ ...event, text: cleaned(event.text) })),
    )
    await endTurn(deps.db, ref)
    return { conversationId: ref.conversationId }
  })
}

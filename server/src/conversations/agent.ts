import { inTransaction } from '../kernel/database.ts'
import type { JobDeps } from '../kernel/slice.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { ConversationOrigin } from './conversation.ts'
import { delegateTool } from './delegate.ts'
import { lastReply } from './queries.ts'
import { cleaned, titleOf } from './text.ts'
import type { ToolKit } from './tool-kit.ts'
import { runTurn, type TurnListener, type TurnOutcome, type TurnWanted } from './turn.ts'
import { beginTurn, endTurn, type TurnRef } from './turns.ts'
import { appendEvents, insertConversation } from './writes.ts'

export interface AgentRequest {
  projectId: string
  /** Whose permissions it has. Someone who is no longer a member makes it fail, with that reason. */
  ownerId: string
  origin: ConversationOrigin
  /** `runId` lets the conversation show the state of the run it belongs to. */
  automation?: { id: string; name: string; runId?: string }
  title: string
  prompt: string
  system?: string
  toolKit: ToolKit
  integrationIds: string[]
  /** Null for the one the operator has chosen. */
  model: string | null
  signal?: AbortSignal
  /** Whose doing it is in the history of what it changes; a subagent's is that of whoever asked it. */
  actsAs?: ConversationOrigin
}

export interface Change {
  action: string
  resourceType: string
  resourceId: string
  title: string
}

export interface AgentOutcome {
  conversationId: string
  status: 'succeeded' | 'failed' | 'cancelled'
  /** For a person. */
  error: string | null
  model: string | null
  inputTokens: number
  outputTokens: number
  /** What it changed, in order, also when it failed in the end. */
  changes: Change[]
}

/** Runs an agent to its end. It never throws for what the model or a tool does: that is an outcome. */
export async function runAgent(deps: JobDeps, request: AgentRequest, parentId?: string): Promise<AgentOutcome> {
  const ref = await openConversation(deps, request, parentId ?? null)
  return { conversationId: ref.conversationId, ...(await runTurnWithSubagents(deps, ref, request)) }
}

/** A turn whose agent may give parts of its work to others, who do not do so again. */
export async function runTurnWithSubagents(
  deps: JobDeps,
  ref: TurnRef,
  wanted: TurnWanted,
  listener?: TurnListener,
): Promise<TurnOutcome> {
  if (wanted.origin === 'subagent') return runTurn(deps, ref, wanted, listener)
  const { ownerId, toolKit, integrationIds, model, origin } = wanted
  const changes: Change[] = []
  const delegate = delegateTool(async ({ title, task }, signal) => {
    const request = { projectId: ref.projectId, ownerId, title, prompt: task, toolKit, integrationIds, model, signal }
    const outcome = await runAgent(deps, { ...request, origin: 'subagent', actsAs: origin }, ref.conversationId)
    changes.push(...outcome.changes)
    return { outcome, reply: await lastReply(deps.db, ref.projectId, outcome.conversationId) }
  })
  const outcome = await runTurn(deps, ref, { ...wanted, more: [delegate] }, listener)
  return { ...outcome, changes: [...outcome.changes, ...changes] }
}

/** Makes the conversation with what was asked, and begins its first turn, all at once. */
export function openConversation(
  deps: JobDeps,
  request: Pick<
    AgentRequest,
    'projectId' | 'ownerId' | 'origin' | 'automation' | 'title' | 'prompt' | 'toolKit' | 'integrationIds' | 'model'
  >,
  parentId: string | null = null,
): Promise<TurnRef> {
  const ref = { projectId: request.projectId, conversationId: uuidv7(), turnId: uuidv7() }
  return inTransaction(deps, async ({ db }) => {
    await insertConversation(db, {
      projectId: request.projectId,
      id: ref.conversationId,
      ownerId: request.ownerId,
      origin: request.origin,
      parentId,
      title: titleOf(request.title || request.prompt),
      model: request.model,
      toolKit: request.toolKit,
      integrationIds: request.integrationIds,
      automation: request.automation,
    })
    await beginTurn(db, ref)
    await appendEvents(db, ref, [{ kind: 'user', text: cleaned(request.prompt), isFinal: true }])
    return ref
  })
}

export interface WorkDone extends Pick<AgentRequest, 'projectId' | 'ownerId' | 'automation' | 'title' | 'prompt'> {
  /** What was done and why, for a person. */
  reply: string
  status: 'succeeded' | 'failed' | 'cancelled'
}

/** Leaves a conversation about work that was done without a model. */
export function recordWork(deps: JobDeps, work: WorkDone): Promise<{ conversationId: string }> {
  return inTransaction(deps, async (deps) => {
    const ref = await openConversation(deps, {
      ...work,
      origin: 'automation',
      toolKit: {},
      integrationIds: [],
      model: null,
    })
    await appendEvents(deps.db, ref, [{ kind: 'assistant', text: cleaned(work.reply), isFinal: true }])
    await endTurn(deps.db, ref, work.status)
    return { conversationId: ref.conversationId }
  })
}

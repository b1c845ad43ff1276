import type { Workspace } from '../../../test/harness.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { type AgentRequest, openConversation } from './turns/agent.ts'
import { endTurn, type TurnRef } from './turns/turn-queries.ts'
import { appendEvents, type NewEvent } from './writes.ts'

export const said = (kind: 'user' | 'assistant', text: string): NewEvent => ({ kind, text, isFinal: true })

export function used(
  toolName: string,
  input: string,
  output: string,
  toolStatus: 'succeeded' | 'failed' = 'succeeded',
) {
  const toolCallId = `call_${uuidv7()}`
  return [
    { kind: 'tool_call' as const, text: input, isFinal: false, toolName, toolCallId },
    { kind: 'tool_result' as const, text: output, isFinal: false, toolName, toolCallId, toolStatus },
  ]
}

interface Wanted extends Partial<AgentRequest> {
  events?: NewEvent[]
  /** Keeps its turn running. */
  isActive?: boolean
}

/** Creates a conversation with these events, without a model. */
export async function conversationOf(
  { deps }: Workspace,
  project: { id: string },
  owner: { userId: string },
  { events = [], isActive = false, ...request }: Wanted = {},
): Promise<TurnRef> {
  return inTransaction(deps, async (tx) => {
    const ref = await openConversation(tx, {
      projectId: project.id,
      ownerId: owner.userId,
      origin: 'user',
      title: 'A title',
      prompt: 'A question',
      toolKit: {},
      integrationIds: [],
      model: null,
      ...request,
    })
    if (events.length > 0) await appendEvents(tx.db, ref, events)
    if (!isActive) await endTurn(tx.db, ref)
    return ref
  })
}

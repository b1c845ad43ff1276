import { type Db, json, type Tx } from '../../kernel/database/index.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { ConversationOrigin, EventKind, ToolStatus } from './conversation.ts'
import type { ToolKit } from './tool-kit.ts'
import type { TurnRef } from './turns/turn-queries.ts'

export interface NewConversation {
  projectId: string
  id: string
  ownerId: string
  origin: ConversationOrigin
  parentId: string | null
  title: string
  model: string | null
  toolKit: ToolKit
  integrationIds: string[]
  integrationTools: Record<string, string[]>
  automation: { id: string; name: string; runId?: string } | undefined
  asksFirst?: boolean
}

export async function insertConversation(db: Db, one: NewConversation): Promise<void> {
  await db`
    insert into conversations (project_id, id, owner_id, origin, parent_id, title, model, tool_kit, integration_ids,
      integration_tools, automation_id, automation_name, run_id, asks_first, created_at, updated_at)
    values (${one.projectId}, ${one.id}, ${one.ownerId}, ${one.origin}, ${one.parentId}, ${one.title}, ${one.model},
      ${json(one.toolKit)}, ${one.integrationIds}, ${json(one.integrationTools)}, ${one.automation?.id ?? null}, ${one.automation?.name ?? null},
      ${one.automation?.runId ?? null}, ${one.asksFirst ?? false}, now(), now())`
}

/** For a run that has waited: shows it the automation as it is now. */
export async function refreshConversation(
  db: Db,
  projectId: string,
  one: NewConversation,
  prompt: string,
): Promise<void> {
  await db`update conversations set title = ${one.title}, model = ${one.model}, tool_kit = ${json(one.toolKit)},
      integration_ids = ${one.integrationIds}, integration_tools = ${json(one.integrationTools)},
      automation_name = ${one.automation?.name ?? null}
    where project_id = ${projectId} and id = ${one.id}`
  await db`update conversation_events set text = ${prompt}
    where project_id = ${projectId} and conversation_id = ${one.id} and number = 1 and kind = 'user'`
}

export interface NewEvent {
  kind: EventKind
  text: string
  isFinal: boolean
  toolName?: string
  toolCallId?: string
  toolStatus?: ToolStatus
}

/**
 * Appends what a turn has done. Returns false and writes nothing if the turn is no longer running, so a node that was
 * presumed dead cannot speak again.
 */
export async function appendEvents(db: Tx, turn: TurnRef, events: NewEvent[]): Promise<boolean> {
  const { projectId, conversationId, turnId } = turn
  const [row] = await db<{ last: number }[]>`
    update conversations set last_event_number = last_event_number + ${events.length}, updated_at = now(),
      turn_seen_at = now()
    where project_id = ${projectId} and id = ${conversationId} and turn_id = ${turnId}
    returning last_event_number as last`
  if (!row) return false
  const rows = events.map((event, index) => ({
    id: uuidv7(),
    number: row.last - events.length + 1 + index,
    kind: event.kind,
    text: event.text,
    is_final: event.isFinal,
    tool_name: event.toolName ?? null,
    tool_call_id: event.toolCallId ?? null,
    tool_status: event.toolStatus ?? null,
  }))
  await db`
    insert into conversation_events (project_id, conversation_id, turn_id, number, id, kind, text, is_final, tool_name,
      tool_call_id, tool_status, created_at)
    select ${projectId}, ${conversationId}, ${turnId}, e.number, e.id, e.kind, e.text, e.is_final, e.tool_name,
      e.tool_call_id, e.tool_status, now()
    from jsonb_to_recordset(${json(rows)}) as e (number int, id uuid, kind text, text text, is_final boolean,
      tool_name text, tool_call_id text, tool_status text)`
  return true
}

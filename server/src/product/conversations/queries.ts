import { type Db, query } from '../../kernel/database/index.ts'
import type { Conversation, ConversationEvent, ConversationSummary } from './conversation.ts'
import type { ToolKit } from './tool-kit.ts'
import { LEASE_SECONDS } from './turns/turn-queries.ts'

/** `automations` owns this table and knows the state of a run. It is only read here. */
const RUN_JOIN = 'left join automation_runs r on r.project_id = c.project_id and r.id = c.run_id'
const SUMMARY_COLUMNS = `c.id, c.origin, c.title, c.created_at as "createdAt", c.updated_at as "updatedAt",
  c.automation_id as "automationId", c.automation_name as "automationName", c.run_id as "runId",
  r.status as "runStatus", r.started_at as "runStartedAt", r.completed_at as "runCompletedAt"`

/** The position where a page of the list ends. */
export interface Place {
  updatedAt: string
  id: string
}

export interface Listed {
  projectId: string
  ownerId: string
  /** Also those that others share with the project. */
  withShared?: boolean
  origin?: 'user' | 'automation' | undefined
}

/** Newest first, only the owner's unless others' are wanted, without subagents. */
export function listConversations(
  db: Db,
  { projectId, ownerId, withShared = false, origin }: Listed,
  after: Place | undefined,
  limit: number,
): Promise<ConversationSummary[]> {
  return query<ConversationSummary>(
    db,
    `select ${SUMMARY_COLUMNS} from conversations c ${RUN_JOIN}
     where c.project_id = $1 and ${withShared ? '(c.owner_id = $2 or c.is_shared)' : 'c.owner_id = $2'}
       and c.origin <> 'subagent' ${origin ? `and c.origin = '${origin}'` : ''}
       ${after ? 'and (c.updated_at, c.id) < ($3::text::timestamptz, $4::uuid)' : ''}
     order by c.updated_at desc, c.id desc limit ${limit}`,
    after ? [projectId, ownerId, after.updatedAt, after.id] : [projectId, ownerId],
  )
}

/** What may be searched in some of them. */
export async function searchableTexts(db: Db, projectId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; text: string }>(
    db,
    `select c.id, concat_ws(E'\\n', c.title, (
       select string_agg(case when e.kind in ('user', 'assistant') then e.text
         else concat_ws(E'\\n', e.tool_name, e.tool_status) end, E'\\n')
       from conversation_events e where e.project_id = c.project_id and e.conversation_id = c.id)) as text
     from conversations c where c.project_id = $1 and c.id = any($2::uuid[])`,
    [projectId, ids],
  )
  return new Map(rows.map((row) => [row.id, row.text]))
}

/** Finds only the owner's, and what others share if that is wanted. */
export async function findConversation(
  db: Db,
  { projectId, ownerId, withShared = false }: Listed,
  id: string,
): Promise<Conversation | undefined> {
  const [row] = await query<Conversation>(
    db,
    `select ${SUMMARY_COLUMNS}, c.owner_id as "ownerId", c.turn_id as "turnId",
       case when c.turn_id is not null and c.turn_seen_at > now() - make_interval(secs => ${LEASE_SECONDS})
         then c.turn_started_at end as "turnStartedAt"
     from conversations c ${RUN_JOIN} 
     where c.project_id = $1 and ${withShared ? '(c.owner_id = $2 or c.is_shared)' : 'c.owner_id = $2'} and c.id = $3`,
    [projectId, ownerId, id],
  )
  return row
}

export async function findEvent(
  db: Db,
  projectId: string,
  conversationId: string,
  id: string,
): Promise<ConversationEvent | undefined> {
  const [row] = await db<ConversationEvent[]>`
    select number, id, kind, text, is_final as "isFinal", tool_name as "toolName", tool_call_id as "toolCallId",
      tool_status as "toolStatus", created_at as "createdAt"
    from conversation_events
    where project_id = ${projectId} and conversation_id = ${conversationId} and id = ${id}`
  return row
}

interface EventsBefore {
  before: number | undefined
  withTools: boolean
  /** Stops once this many characters have been read. */
  characters: number
}

/** Newest first: the events that fit, and the first one that does not. */
export const listEventsBackwards = (
  db: Db,
  projectId: string,
  conversationId: string,
  { before = 2_147_483_647, withTools, characters }: EventsBefore,
) => db<ConversationEvent[]>`
  select number, id, kind, text, is_final as "isFinal", tool_name as "toolName", tool_call_id as "toolCallId",
    tool_status as "toolStatus", created_at as "createdAt"
  from (
    select *, sum(length(text)) over (order by number desc) - length(text) as newer from conversation_events
    where project_id = ${projectId} and conversation_id = ${conversationId} and number < ${before}
      and (${withTools} or kind in ('user', 'assistant'))
    order by number desc limit ${MAX_MESSAGES + 1}
  ) e where newer <= ${characters} order by number desc`

/** The maximum per answer, however short they are. */
export const MAX_MESSAGES = 1_000

/** All events in order, as a model receives them. */
export const listEvents = (db: Db, projectId: string, conversationId: string) => db<ConversationEvent[]>`
  select number, id, kind, text, is_final as "isFinal", tool_name as "toolName", tool_call_id as "toolCallId",
    tool_status as "toolStatus", created_at as "createdAt"
  from conversation_events where project_id = ${projectId} and conversation_id = ${conversationId} order by number`

/** The last thing that the agent said. */
export async function lastReply(db: Db, projectId: string, conversationId: string): Promise<string> {
  const [row] = await db<{ text: string }[]>`
    select text from conversation_events
    where project_id = ${projectId} and conversation_id = ${conversationId} and kind = 'assistant'
    order by number desc limit 1`
  return row?.text ?? ''
}

export interface Progress {
  /** What the agent said last. */
  text: string | null
  toolCalls: number
  lastTool: string | null
  lastAt: string | null
}

/** How far a conversation has come. */
export async function readProgress(db: Db, projectId: string, conversationId: string): Promise<Progress> {
  const [row] = await db<Progress[]>`
    select (array_agg(text order by number desc) filter (where kind = 'assistant'))[1] as text,
      (count(*) filter (where kind = 'tool_call'))::int as "toolCalls",
      (array_agg(tool_name order by number desc) filter (where kind = 'tool_call'))[1] as "lastTool",
      max(created_at) as "lastAt"
    from conversation_events where project_id = ${projectId} and conversation_id = ${conversationId}`
  return row!
}

export interface Talk {
  origin: string
  toolKit: ToolKit
  integrationIds: string[]
  integrationTools: Record<string, string[]>
  model: string | null
  asksFirst: boolean
}

/** How the conversation's agent is set up. */
export async function findTalk(db: Db, projectId: string, ownerId: string, id: string): Promise<Talk | undefined> {
  const [row] = await db<Talk[]>`
    select origin, tool_kit as "toolKit", integration_ids as "integrationIds",
      integration_tools as "integrationTools", model, asks_first as "asksFirst" from conversations
    where project_id = ${projectId} and owner_id = ${ownerId} and id = ${id}`
  return row
}

/** The maximum number of events in one read of what happened since an event. */
export const MAX_EVENTS_AFTER = 1_000

export const listEventsAfter = (db: Db, projectId: string, conversationId: string, number: number) => db<
  ConversationEvent[]
>`
  select number, id, kind, text, is_final as "isFinal", tool_name as "toolName", tool_call_id as "toolCallId",
    tool_status as "toolStatus", created_at as "createdAt"
  from conversation_events
  where project_id = ${projectId} and conversation_id = ${conversationId} and number > ${number}
  order by number limit ${MAX_EVENTS_AFTER}`

export interface AgentEvent {
  kind: string
  subjectType: string
  subjectId: string
  title: string | null
}

/** Returns what agents and automations changed under a request id, from the event log; the oldest first. */
export const listAgentEvents = (db: Db, projectId: string, requestId: string) => db<AgentEvent[]>`
  select kind, subject_type as "subjectType", subject_id as "subjectId", coalesce(payload->>'title', payload->>'name') as title
  from events where project_id = ${projectId} and request_id = ${requestId} and origin in ('agent', 'automation')
  order by id limit 10000`

import { type Db, json, type Tx } from '../../../kernel/database/index.ts'
import type { ConversationEvent } from '../conversation.ts'
import { LEASE_SECONDS } from '../turns/turn-queries.ts'

const isActive = (db: Db) =>
  db`(c.turn_id is not null and c.turn_seen_at > now() - make_interval(secs => ${LEASE_SECONDS}))`

export interface RowFacts {
  id: string
  ownerId: string
  ownerName: string
  isShared: boolean
  isActive: boolean
  messageCount: number
}

/** What a list shows of conversations besides their titles. */
export const listRowFacts = (db: Db, projectId: string, ids: string[]) => db<RowFacts[]>`
  select c.id, c.owner_id as "ownerId", u.name as "ownerName", c.is_shared as "isShared", ${isActive(db)} as "isActive",
    (select count(*)::int from conversation_events e where e.project_id = c.project_id and e.conversation_id = c.id
      and e.kind in ('user', 'assistant')) as "messageCount"
  from conversations c join users u on u.id = c.owner_id
  where c.project_id = ${projectId} and c.id = any(${ids}::uuid[])`

export interface Queued {
  id: string
  text: string
}

export interface PageFacts extends RowFacts {
  asksFirst: boolean
  model: string | null
  queued: Queued[]
  branchOf: string | null
  branchNumber: number | null
  inputTokens: number
  outputTokens: number
  /** Null if no model with a price was used. */
  cost: number | null
}

/** What the page of a conversation shows. What subagents used belongs to the conversation that asked them. */
export async function findPageFacts(db: Db, projectId: string, id: string): Promise<PageFacts | undefined> {
  const [row] = await db<PageFacts[]>`
    select c.id, c.owner_id as "ownerId", u.name as "ownerName", c.is_shared as "isShared", ${isActive(db)} as "isActive",
      0 as "messageCount", c.asks_first as "asksFirst", c.model, c.queued, c.branch_of as "branchOf",
      c.branch_number as "branchNumber", s.input_tokens as "inputTokens", s.output_tokens as "outputTokens", s.cost
    from conversations c join users u on u.id = c.owner_id,
      lateral (select sum(o.input_tokens)::float8 as input_tokens, sum(o.output_tokens)::float8 as output_tokens,
          sum(o.cost)::float8 as cost
        from conversations o where o.project_id = c.project_id and (o.id = c.id or o.parent_id = c.id)) s
    where c.project_id = ${projectId} and c.id = ${id}`
  return row
}

/** A tool's input or output is read as far as a person would. */
const TOOL_CHARACTERS = 4_000

/** Newest first: at most `limit`, and fewer if they are long. */
export const listEntriesBefore = (
  db: Db,
  projectId: string,
  conversationId: string,
  { before = 2_147_483_647, limit, characters }: { before: number | undefined; limit: number; characters: number },
) => db<ConversationEvent[]>`
  select number, id, kind, text, is_final as "isFinal", tool_name as "toolName", tool_call_id as "toolCallId",
    tool_status as "toolStatus", created_at as "createdAt"
  from (
    select number, id, kind, is_final, tool_name, tool_call_id, tool_status, created_at,
      case when kind in ('tool_call', 'tool_result') then left(text, ${TOOL_CHARACTERS}) else text end as text,
      sum(length(text)) filter (where kind in ('user', 'assistant')) over (order by number desc rows between unbounded
        preceding and 1 preceding) as newer
    from conversation_events
    where project_id = ${projectId} and conversation_id = ${conversationId} and number < ${before}
    order by number desc limit ${limit}
  ) e where coalesce(newer, 0) <= ${characters} order by number desc`

export interface OwnTalk {
  id: string
  ownerId: string
  origin: string
  isShared: boolean
  title: string
  model: string | null
  queued: Queued[]
  turnId: string | null
}

/** Locks it, so that a turn neither begins nor ends until the transaction does. */
export async function lockTalk(db: Tx, projectId: string, id: string): Promise<OwnTalk | undefined> {
  const [row] = await db<OwnTalk[]>`
    select c.id, c.owner_id as "ownerId", c.origin, c.is_shared as "isShared", c.title, c.model, c.queued,
      c.turn_id as "turnId"
    from conversations c where c.project_id = ${projectId} and c.id = ${id} for update`
  return row
}

export async function updateTalk(
  db: Tx,
  projectId: string,
  { id, title, isShared, model, queued }: Pick<OwnTalk, 'id' | 'title' | 'isShared' | 'model' | 'queued'>,
): Promise<void> {
  await db`update conversations set title = ${title}, is_shared = ${isShared}, model = ${model},
      queued = ${json(queued)}
    where project_id = ${projectId} and id = ${id}`
}

/** With its subagents and proposals. Branches of it stay. */
export async function deleteTalk(db: Tx, projectId: string, id: string): Promise<void> {
  await db`delete from agent_deeds where project_id = ${projectId} and run_id = ${id}`
  await db`delete from conversations where project_id = ${projectId} and (id = ${id} or parent_id = ${id})`
}

import type { Origin } from '../../../kernel/context.ts'
import { type Db, json } from '../../../kernel/database/index.ts'
import type { Via } from '../../../kernel/http/created-via.ts'
import type { ResourceType } from '../../links/index.ts'
import type { Anchor, Thread } from '../document.ts'

/** Oldest first. */
export const listThreads = (db: Db, projectId: string, documentId: string) =>
  selectThreads(db, db`t.project_id = ${projectId} and t.document_id = ${documentId}`)

export async function findThread(db: Db, projectId: string, documentId: string, id: string) {
  const [thread] = await selectThreads(
    db,
    db`t.project_id = ${projectId} and t.document_id = ${documentId} and t.id = ${id}`,
  )
  return thread
}

export async function lockThread(db: Db, projectId: string, id: string): Promise<void> {
  await db`select 1 from document_threads where project_id = ${projectId} and id = ${id} for update`
}

async function selectThreads(db: Db, where: ReturnType<Db>): Promise<Thread[]> {
  const rows = await db<(Omit<Thread, 'messages'> & { messages: Thread['messages'] | null })[]>`
    select t.id, t.is_resolved as "isResolved", t.is_flagged as "isFlagged",
      t.anchor,
      (select json_agg(json_build_object('id', m.id, 'message', m.message, 'createdByName', m.created_by_name,
          'userId', m.user_id, 'origin', m.origin, 'via', m.via, 'isEdited', m.edited_at is not null,
          'createdAt', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by m.created_at, m.id)
        from document_messages m
        where m.project_id = t.project_id and m.thread_id = t.id and m.deleted_at is null) as messages
    from document_threads t where ${where} and t.deleted_at is null order by t.created_at, t.id`
  return rows.map((row) => ({ ...row, messages: row.messages ?? [] }))
}

interface NewThread {
  id: string
  documentId: string
  isFlagged: boolean
  anchor: Anchor | null
}

export async function insertThread(
  db: Db,
  projectId: string,
  { id, documentId, isFlagged, anchor }: NewThread,
): Promise<void> {
  await db`insert into document_threads (project_id, id, document_id, is_flagged, anchor, created_at)
    values (${projectId}, ${id}, ${documentId}, ${isFlagged}, ${anchor && json(anchor)}, now())`
}

interface NewMessage {
  id: string
  threadId: string
  message: string
  userId: string | null
  userName: string
  origin: Origin
  via: Via | null
}

export async function insertMessage(db: Db, projectId: string, one: NewMessage): Promise<void> {
  await db`insert into document_messages (project_id, id, thread_id, message, user_id, created_by_name, origin, via,
      created_at)
    values (${projectId}, ${one.id}, ${one.threadId}, ${one.message}, ${one.userId}, ${one.userName},
      ${one.origin}, ${one.via && json(one.via)}, now())`
}

export async function updateThread(
  db: Db,
  projectId: string,
  { id, isResolved, isFlagged }: Pick<Thread, 'id' | 'isResolved' | 'isFlagged'>,
): Promise<void> {
  await db`update document_threads set is_resolved = ${isResolved}, is_flagged = ${isFlagged}
    where project_id = ${projectId} and id = ${id}`
}

export async function deleteMessage(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from document_messages where project_id = ${projectId} and id = ${id}`
}

export async function deleteThread(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from document_threads where project_id = ${projectId} and id = ${id}`
}

interface Place {
  documentId: string
  threadId: string
  messageId: string
}

export async function findMessage(db: Db, projectId: string, { documentId, threadId, messageId }: Place) {
  const [found] = await db<{ message: string; userId: string | null; isDeleted: boolean }[]>`
    select m.message, m.user_id as "userId", m.deleted_at is not null as "isDeleted"
    from document_messages m join document_threads t on t.project_id = m.project_id and t.id = m.thread_id
    where m.project_id = ${projectId} and t.document_id = ${documentId} and t.id = ${threadId} and m.id = ${messageId}`
  return found
}

interface MessageText {
  kind: ResourceType
  documentId: string
  threadId: string
  messageId: string
  /** Of the document. */
  title: string
  message: string
}

export const listMessageTexts = (db: Db, projectId: string, part: string) => db<MessageText[]>`
  select d.kind, d.id as "documentId", t.id as "threadId", m.id as "messageId", d.title, m.message
  from document_messages m
  join document_threads t on t.project_id = m.project_id and t.id = m.thread_id
  join documents d on d.project_id = t.project_id and d.id = t.document_id
  where m.project_id = ${projectId} and m.deleted_at is null and position(${part} in m.message) > 0 order by m.id`

export async function rewriteMessage(db: Db, projectId: string, id: string, message: string): Promise<void> {
  await db`update document_messages set message = ${message} where project_id = ${projectId} and id = ${id}`
}

export async function updateMessage(db: Db, projectId: string, id: string, message: string): Promise<void> {
  await db`update document_messages set message = ${message}, edited_at = now()
    where project_id = ${projectId} and id = ${id}`
}

/** Removes for good what was deleted more than a day ago in the same document. */
export async function hideMessage(
  db: Db,
  projectId: string,
  { documentId, threadId, messageId }: Place,
): Promise<void> {
  await db`delete from document_messages m using document_threads t
    where m.project_id = ${projectId} and t.project_id = m.project_id and t.id = m.thread_id
      and t.document_id = ${documentId} and m.deleted_at < now() - interval '1 day'`
  await db`delete from document_threads where project_id = ${projectId} and document_id = ${documentId}
    and deleted_at < now() - interval '1 day'`
  await db`update document_messages set deleted_at = now() where project_id = ${projectId} and id = ${messageId}`
  await db`update document_threads t set deleted_at = now() where t.project_id = ${projectId} and t.id = ${threadId}
    and not exists (select from document_messages m
      where m.project_id = t.project_id and m.thread_id = t.id and m.deleted_at is null)`
}

export async function showMessage(db: Db, projectId: string, { threadId, messageId }: Place): Promise<void> {
  await db`update document_messages set deleted_at = null where project_id = ${projectId} and id = ${messageId}`
  await db`update document_threads set deleted_at = null where project_id = ${projectId} and id = ${threadId}`
}

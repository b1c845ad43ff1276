import { announceEvents } from '../../../kernel/announcements.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { type Db, json } from '../../../kernel/database/index.ts'
import { recordingEvents } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { registerResources } from '../../links/index.ts'
import { takingNumbers } from '../../projects/index.ts'
import { itemEvents } from '../events.ts'
import { ITEMS } from './item-queries.ts'

export interface Report {
  endUserEmail: string
  content: string
  /** How a member who adds it by hand heard of it. Left out, it came through the key of the actor. */
  source?: string | undefined
  attachments: { fileName: string; fileKey: string; fileSize: number; mimeType: string }[]
}

export interface NewItem {
  id: string
  title: string
  report: Report
  requestId: string
}

/**
 * Everything that a report leaves, in one statement: number, item, attachments, event, and what waits for the event.
 * Returns the first number.
 */
export async function insertReports(ctx: Ctx, items: NewItem[]): Promise<number> {
  const { db, actor } = ctx
  const { projectId } = actor
  const recording = recordingEvents(
    ctx,
    itemEvents.submitted,
    db`select s.id as subject_id, r.request_id, jsonb_build_object('feedback_number', s.feedback_number, 'title', s.title) as payload
      from stored s join reports r on r.id = s.id order by s.feedback_number`,
  )
  const rows = attachmentRows(items)
  const [row] = await db<{ first: number }[]>`
    with reports as (
      select * from unnest(${items.map((one) => one.id)}::uuid[], ${items.map((one) => one.title)}::text[],
        ${items.map((one) => one.report.endUserEmail)}::text[], ${items.map((one) => one.report.content)}::text[],
        ${items.map((one) => one.report.source ?? null)}::text[], ${items.map((one) => one.requestId)}::text[])
        with ordinality as r (id, title, email, content, source, request_id, position)
    ), registered as (${registerResources(
      db,
      projectId,
      ITEMS,
      items.map((one) => one.id),
    )}), taken as (${takingNumbers(db, projectId, ITEMS, items.length)}), stored as (
      insert into feedback_items (project_id, id, feedback_number, title, status, end_user_email, markdown_content, created_at,
        source, added_by)
      select ${projectId}, r.id, t.first + r.position::int - 1, r.title, 'to_process', r.email, r.content, now(),
        coalesce(r.source, (select name from api_keys where id = ${actor.keyId}::uuid), ''),
        case when r.source is not null then ${actor.userId}::uuid end
      from reports r, taken t
      returning id, feedback_number, title
    ) ${rows.length > 0 ? db`, attached as (${insertingAttachments(db, projectId, rows)})` : db``}, ${recording}
    select t.first, (select count(*) from queued) as queued from taken t`
  announceEvents(db, projectId)
  return row!.first
}

const attachmentRows = (items: NewItem[]) =>
  items.flatMap(({ id, report }) =>
    report.attachments.map((one, position) => ({
      id: uuidv7(),
      feedback_item_id: id,
      position,
      file_name: one.fileName,
      file_key: one.fileKey,
      file_size: one.fileSize,
      mime_type: one.mimeType,
    })),
  )

const insertingAttachments = (db: Db, projectId: string, rows: ReturnType<typeof attachmentRows>) => db`
  insert into feedback_attachments (project_id, id, feedback_item_id, position, file_name, file_key, file_size, mime_type)
  select ${projectId}, r.id, r.feedback_item_id, r.position, r.file_name, r.file_key, r.file_size, r.mime_type
  from jsonb_to_recordset(${json(rows)}) as r (id uuid, feedback_item_id uuid, position int,
    file_name text, file_key text, file_size bigint, mime_type text)`

import type { Db } from '../kernel/database.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { Report } from './submissions.ts'

interface NewItem {
  id: string
  title: string
  report: Report
}

/** Numbered from `first` in the given order. */
export async function insertItems(db: Db, projectId: string, first: number, items: NewItem[]): Promise<void> {
  await db`
    insert into feedback_items (project_id, id, feedback_number, title, status, end_user_email, markdown_content, created_at)
    select ${projectId}, r.id, ${first}::int + r.position::int - 1, r.title, 'to_process', r.email, r.content, now()
    from unnest(${items.map((one) => one.id)}::uuid[], ${items.map((one) => one.title)}::text[],
      ${items.map((one) => one.report.endUserEmail)}::text[], ${items.map((one) => one.report.content)}::text[])
      with ordinality as r (id, title, email, content, position)`
}

export async function insertAttachments(db: Db, projectId: string, items: NewItem[]): Promise<void> {
  const rows = items.flatMap(({ id, report }) =>
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
  if (rows.length === 0) return
  await db`
    insert into feedback_attachments (project_id, id, feedback_item_id, position, file_name, file_key, file_size, mime_type)
    select ${projectId}, r.id, r.feedback_item_id, r.position, r.file_name, r.file_key, r.file_size, r.mime_type
    from jsonb_to_recordset(${db.json(rows as never)}) as r (id uuid, feedback_item_id uuid, position int,
      file_name text, file_key text, file_size bigint, mime_type text)`
}

import { type Db, raw } from '../../../kernel/database/index.ts'
import { enqueueOnce } from '../../../kernel/jobs/jobs.ts'
import { IS_READABLE } from './format.ts'

export const READ_FILE_TEXTS = 'read_file_texts'

/** One job reads all files, so that they take one thread of the installation. */
export const enqueueReading = (db: Db) =>
  enqueueOnce(db, READ_FILE_TEXTS, {}, { key: READ_FILE_TEXTS, afterMs: 0, queue: READ_FILE_TEXTS, restarts: false })

export async function findFileText(db: Db, projectId: string, id: string): Promise<string | null> {
  const [row] = await db<{ text: string | null }[]>`select file_text as text from artifacts
    where project_id = ${projectId} and id = ${id}`
  return row?.text ?? null
}

export interface UnreadFile {
  projectId: string
  id: string
  contentKey: string
  contentType: string
  nameKey: string
}

const MAX_SKIPPED = 10_000

/** Files that have no words need not be looked at again. */
export async function skipUnreadable(db: Db): Promise<void> {
  await db`update artifacts set text_read_at = now() where (project_id, id) in (
    select project_id, id from artifacts
    where type = 'file' and text_read_at is null and not ${raw(IS_READABLE)} limit ${MAX_SKIPPED})`
}

/**
 * Marks the oldest unread file of each project as read, and returns them. They are marked before they are read: one that
 * ends the process is not tried again.
 */
export const claimUnread = (db: Db) => db<UnreadFile[]>`
  update artifacts a set text_read_at = now() from (
    select distinct on (project_id) project_id, id from artifacts
    where type = 'file' and text_read_at is null and ${raw(IS_READABLE)} order by project_id, id limit 100) u
  where a.project_id = u.project_id and a.id = u.id and a.text_read_at is null
  returning a.project_id as "projectId", a.id, a.content_key as "contentKey", a.content_type as "contentType",
    a.name_key as "nameKey"`

/** Does nothing if the content was replaced since. */
export async function saveText(db: Db, { projectId, id, contentKey }: UnreadFile, text: string): Promise<void> {
  await db`update artifacts set file_text = ${text}
    where project_id = ${projectId} and id = ${id} and content_key = ${contentKey}`
}

/** For files whose reading was interrupted. */
export async function markUnread(db: Db, files: UnreadFile[]): Promise<void> {
  await db`update artifacts set text_read_at = null where content_key = any(${files.map((one) => one.contentKey)})`
}

/** The texts of files can be long and can be read again, so they are not kept with what is deleted. */
export async function forgetTexts(db: Db, projectId: string, ids: string[]): Promise<void> {
  await db`update artifacts set file_text = null, text_read_at = null
    where project_id = ${projectId} and id = any(${ids}::uuid[]) and file_text is not null`
}

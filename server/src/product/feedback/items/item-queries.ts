import { type Db, likeSubstring, query, sendTogether } from '../../../kernel/database/index.ts'
import type { WordSource } from '../../../kernel/searches/word-search.ts'
import { contextOf, type Link, linksIn } from '../../links/index.ts'
import { adjustingLive } from '../../projects/index.ts'
import type { Attachment, FeedbackItem, FeedbackItemSummary, ItemStatus } from './feedback-item.ts'

/**
 * `counters` holds the number of all items and, under a second name, of processed ones, so neither list has to count.
 */
export const ITEMS = 'feedback_item'
export const PROCESSED = 'feedback_item.processed'

const summaryColumns = `i.id, i.feedback_number as "feedbackNumber", i.title, i.status,
  i.end_user_email as "endUserEmail", i.created_at as "createdAt"`

const TOTALS = {
  all: `(select coalesce(max(live), 0) from counters where project_id = $1 and name = '${ITEMS}')`,
  processed: `(select coalesce(max(live), 0) from counters where project_id = $1 and name = '${PROCESSED}')`,
  to_process: `(select coalesce(sum(case name when '${ITEMS}' then live else -live end), 0)::int
    from counters where project_id = $1 and name in ('${ITEMS}', '${PROCESSED}'))`,
}

// One statement per list and page size, built once. The planner uses a limit only if it is part of the statement.
const statements = new Map<string, string>()
function listStatement(status: ItemStatus | 'all', limit: number): string {
  const name = `${status} ${limit}`
  let text = statements.get(name)
  if (!text) {
    const condition = status === 'all' ? '' : `and i.status = '${status}'`
    text = `select ${summaryColumns}, ${TOTALS[status]} as total from feedback_items i
      where i.project_id = $1 ${condition} order by i.feedback_number desc limit ${limit} offset $2`
    statements.set(name, text)
  }
  return text
}

export async function listItems(
  db: Db,
  projectId: string,
  status: ItemStatus | undefined,
  limit: number,
  offset: number,
): Promise<{ rows: FeedbackItemSummary[]; total: number }> {
  const text = listStatement(status ?? 'all', limit)
  const rows = await query<FeedbackItemSummary & { total: number }>(db, text, [projectId, offset])
  if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 }
  const [counted] = await query<{ total: number }>(db, `select ${TOTALS[status ?? 'all']} as total`, [projectId])
  return { rows, total: counted!.total }
}

const FIND = `select ${summaryColumns}, i.markdown_content as "markdownContent",
  (select json_agg(json_build_object('id', a.id, 'fileName', a.file_name, 'fileSize', a.file_size,
      'mimeType', a.mime_type) order by a.position)
    from feedback_attachments a where a.project_id = i.project_id and a.feedback_item_id = i.id) as attachments,
  (select json_agg(json_build_object('resourceType', 'theme', 'resourceId', q.theme_id) order by q.id)
    from quotes q where q.project_id = i.project_id and q.feedback_item_id = i.id) as themes,
  ${contextOf('i')} as links
  from feedback_items i where i.project_id = $1 and i.id = $2`

interface DetailRow extends FeedbackItemSummary {
  markdownContent: string
  attachments: Attachment[] | null
  themes: Link[] | null
  links: string[]
}

export const findItem = (db: Db, projectId: string, id: string) =>
  query<DetailRow>(db, FIND, [projectId, id]).map(([row]) => row && toItem(row))

const toItem = ({ themes, links, attachments, ...item }: DetailRow): FeedbackItem => ({
  ...item,
  attachments: attachments ?? [],
  context: [...(themes ?? []), ...linksIn(links)],
})

/** Locks in the order of ids, so two callers that lock the same items cannot deadlock. */
export const lockItems = (db: Db, projectId: string, ids: string[]) => db`select 1 from feedback_items
  where project_id = ${projectId} and id = any(${ids}::uuid[]) order by id for update`

export async function lockItem(db: Db, projectId: string, id: string): Promise<FeedbackItem | undefined> {
  const [, item] = await sendTogether([lockItems(db, projectId, [id]), findItem(db, projectId, id)])
  return item
}

export const listItemsById = (db: Db, projectId: string, ids: string[]) => db<{ id: string; status: ItemStatus }[]>`
  select id, status from feedback_items where project_id = ${projectId} and id = any(${ids}::uuid[]) order by id`

export async function searchItems(
  db: Db,
  projectId: string,
  words: string[],
  limit: number,
): Promise<FeedbackItemSummary[]> {
  return db<FeedbackItemSummary[]>`
    select i.id, i.feedback_number as "feedbackNumber", i.title, i.status, i.end_user_email as "endUserEmail",
      i.created_at as "createdAt"
    from feedback_items i where i.project_id = ${projectId}
      and i.markdown_content ilike all(${words.map(likeSubstring)}::text[])
    order by i.feedback_number desc limit ${limit}`
}

export const readItemTexts = (db: Db, projectId: string, ids: string[]) => db<
  { id: string; title: string; markdownContent: string; untrusted: boolean }[]
>`select id, title, markdown_content as "markdownContent", true as untrusted from feedback_items
  where project_id = ${projectId} and id = any(${ids}::uuid[])`

export async function setItemStatus(db: Db, projectId: string, id: string, status: ItemStatus): Promise<void> {
  await db`update feedback_items set status = ${status} where project_id = ${projectId} and id = ${id}`
}

/** Returns the items whose status no longer matches their quotes. The caller holds their locks. */
export function refreshStatuses(db: Db, projectId: string, ids: string[]) {
  const by = db`select sum(case status when 'processed' then 1 else -1 end) from changed`
  return db<{ id: string; status: ItemStatus }[]>`
    with changed as (
      update feedback_items i set status = fitting.status
      from (select c.id, case when exists (select 1 from quotes q
          where q.project_id = c.project_id and q.feedback_item_id = c.id) then 'processed' else 'to_process' end as status
        from feedback_items c where c.project_id = ${projectId} and c.id = any(${ids}::uuid[])) fitting
      where i.project_id = ${projectId} and i.id = fitting.id and i.status <> fitting.status
      returning i.id, i.status
    ), counted as (${adjustingLive(db, projectId, PROCESSED, by)})
    select id, status from changed`
}

/** How the search over everything looks for reports. */
export const ITEM_WORDS: WordSource = {
  from: 'feedback_items i',
  projectId: 'i.project_id',
  id: 'i.id',
  title: 'i.title',
  number: 'i.feedback_number',
  status: 'i.status',
  text: 'i.markdown_content',
  newest: 'i.feedback_number desc',
}

/** When a person last set the status of an item. Null if none did. */
export async function findPersonsStatus(db: Db, projectId: string, id: string): Promise<string | null> {
  const [row] = await db<{ at: string }[]>`
    select created_at as at from events
    where project_id = ${projectId} and subject_id = ${id} and kind = 'feedback_item.status_changed'
      and origin not in ('agent', 'automation', 'system')
    order by id desc limit 1`
  return row?.at ?? null
}

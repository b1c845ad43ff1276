import { type Db, likeSubstring, raw, type SqlPart } from '../../../kernel/database/index.ts'
import { WORDS_SQL as ARTIFACT_TEXT } from '../../../product/artifacts/index.ts'
import type { ResourceType } from '../../../product/links/index.ts'

export interface Use {
  resourceType: ResourceType
  resourceId: string
  title: string
  number: number | null
  status: string | null
  /** Where in it: connected to it, attached to a comment, or in its text. */
  place: 'connection' | 'comment' | 'text'
  /** In a text. */
  line: number | null
}

const MAX_USES = 200

/** Everything that refers to an artifact: what is connected to it, comments it is attached to, texts that show it. */
export async function listUses(db: Db, projectId: string, id: string): Promise<Use[]> {
  const address = `artifacts/${id.toLowerCase()}/`
  const inText = likeSubstring(address)
  return db<Use[]>`
    with uses (type, id, place, line, position) as (
      select l.to_type, l.to_id, 'connection', null::int, l.position from context_links l
      where l.project_id = ${projectId} and l.from_id = ${id}
      union all
      select distinct on (c.work_order_id) 'work_order', c.work_order_id, 'comment', null::int, 0::bigint
      from work_order_comments c
      where c.project_id = ${projectId} and (c.markdown_content like ${inText} or c.id in (
        select comment_id from work_order_comment_artifacts where project_id = ${projectId} and artifact_id = ${id}))
      union all
      select d.kind, d.id, 'text', ${lineOf(db, address, 'd')}, 0 from documents d
      where d.project_id = ${projectId} and d.markdown_content like ${inText}
      union all
      select 'work_order', w.id, 'text', null::int, 0 from work_orders w
      where w.project_id = ${projectId} and w.search_text like ${inText} and w.markdown_content like ${inText}
      union all
      select 'artifact', a.id, 'text', ${lineOf(db, address, 'a')}, 0 from artifacts a
      where a.project_id = ${projectId} and a.id <> ${id} and a.type = 'document' and ${raw(ARTIFACT_TEXT)} like ${inText}
    )
    select u.type as "resourceType", u.id as "resourceId", coalesce(d.title, w.title, t.title, f.title, a.name) as title,
      coalesce(w.work_order_number, t.theme_number, f.feedback_number) as number,
      coalesce(w.status, t.status, f.status) as status, u.place, u.line
    from uses u
    left join documents d on d.project_id = ${projectId} and d.id = u.id
    left join work_orders w on w.project_id = ${projectId} and w.id = u.id
    left join themes t on t.project_id = ${projectId} and t.id = u.id
    left join feedback_items f on f.project_id = ${projectId} and f.id = u.id
    left join artifacts a on a.project_id = ${projectId} and a.id = u.id
    order by u.place, u.position, title, u.id limit ${MAX_USES}`
}

/** The line of the text of `table` that the address stands in. */
const lineOf = (db: Db, address: string, table: 'd' | 'a'): SqlPart => {
  const text = raw(`${table}.markdown_content`)
  return db`cardinality(string_to_array(left(${text}, position(${address} in ${text})), chr(10)))`
}

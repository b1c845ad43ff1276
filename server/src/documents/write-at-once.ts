import { mayHaveChanges } from '../engines/markdown/suggestions/critic-markup.ts'
import type { Ctx } from '../kernel/context.ts'
import { isTransaction, raw, retrying } from '../kernel/database/index.ts'
import { recordingEvents } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { ResourceType } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import { type Document, ORIGIN_NAMES } from './document.ts'
import { DETAIL_COLUMNS, type DetailRow, TREE, toDocument } from './queries.ts'

interface Written {
  next_number: number | null
  next_updated_at: string | null
}

/**
 * What most writes are, in one statement instead of a transaction of six: lock, compare, replace, keep the version, record
 * the event. Undefined when there is more to it (`If-Match`, pending changes, a transaction around it, something that must
 * happen with the event) or no such document; then nothing was written.
 */
export async function writeAtOnce(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  markdownContent: string,
  forceNewVersion: boolean,
): Promise<Document | undefined> {
  const { db, actor } = ctx
  const { projectId } = actor
  if (isTransaction(db) || ctx.ifMatch !== undefined || mayHaveChanges(markdownContent)) return undefined
  authorizeWrite(actor)
  const versionId = uuidv7()
  const statement = () => {
    const recording = recordingEvents(
      ctx,
      `${kind}.updated`,
      kind,
      db`select n.id as subject_id, ${ctx.requestId} as request_id,
        jsonb_build_object('version_id', ${versionId}::text, 'version_number', n.version_number) as payload from written n`,
    )
    return (
      recording &&
      db<(DetailRow & Written)[]>`
        with d as (
          select project_id, id, kind, tree_id, parent_id, paired_with, title, updated_at, version_id, version_number,
            markdown_content
          from documents where project_id = ${projectId} and id = ${id} and kind = ${kind} for update
        ), written as (
          update documents w set markdown_content = ${markdownContent}, version_id = ${versionId},
            version_number = d.version_number + 1, updated_at = greatest(now(), d.updated_at + interval '1 millisecond')
          from d where w.project_id = d.project_id and w.id = d.id
            and (${forceNewVersion}::boolean or d.markdown_content <> ${markdownContent})
            and strpos(d.markdown_content, '{++') + strpos(d.markdown_content, '{--') = 0
          returning w.id, w.version_number, w.updated_at
        ), kept as (
          insert into document_versions (project_id, document_id, id, version_number, markdown_content, origin_type,
            origin_name, user_id, created_at)
          select ${projectId}, n.id, ${versionId}, n.version_number, ${markdownContent}, ${actor.origin},
            ${ORIGIN_NAMES[actor.origin]}, ${actor.userId}, now() from written n
        ), ${recording}
        select ${raw(DETAIL_COLUMNS)}, n.version_number as next_number, n.updated_at as next_updated_at,
          (select count(*) from queued) as queued
        from d ${raw(TREE)} left join written n on true`
    )
  }
  const [row] = (await retrying(async () => statement())) ?? []
  if (!row) return undefined
  const document = toDocument(row)
  if (row.next_number === null)
    return document.markdownContent === markdownContent && !forceNewVersion ? document : undefined
  return { ...document, markdownContent, versionId, versionNumber: row.next_number, updatedAt: row.next_updated_at! }
}

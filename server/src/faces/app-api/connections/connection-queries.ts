import type { Db } from '../../../kernel/database/index.ts'
import type { ResourceType } from '../../../product/links/index.ts'

/** A document at an end of a link whose text has changed since the link was confirmed. */
export interface Changed {
  id: string
  confirmedVersion: number
  version: number
}

export interface Connection {
  resourceType: ResourceType
  resourceId: string
  title: string
  number: number | null
  status: string | null
  detail: string | null
  version: number | null
  /** True for the two halves of a feature, which nobody connected. */
  isFixed: boolean
  changed: Changed[]
  confirmedAt: string | null
}

type Row = Omit<Connection, 'changed'> & {
  theirConfirmed: number | null
  ownConfirmed: number | null
  ownVersion: number | null
}

/** Everything that something is connected to, the other half of its feature first, with what lists show of each. */
export async function listConnections(db: Db, projectId: string, id: string): Promise<Connection[]> {
  const rows = await db<Row[]>`
    with linked as (
      select d.kind as type, d.id, -1::bigint as position, true as fixed from documents d
      where d.project_id = ${projectId} and (d.paired_with = ${id}
        or d.id = (select paired_with from documents where project_id = ${projectId} and id = ${id}))
      union all
      select to_type, to_id, position, false from context_links where project_id = ${projectId} and from_id = ${id}
    )
    select l.type as "resourceType", l.id as "resourceId", coalesce(d.title, w.title, t.title, f.title, a.name) as title,
      coalesce(w.work_order_number, t.theme_number, f.feedback_number) as number,
      coalesce(w.status, t.status, f.status) as status, coalesce(tree.name, t.type, a.folder_path) as detail,
      d.version_number as version, l.fixed as "isFixed", theirs.version_number as "theirConfirmed",
      ours.version_number as "ownConfirmed", own.version_number as "ownVersion",
      greatest(theirs.confirmed_at, ours.confirmed_at) as "confirmedAt"
    from linked l
    left join documents d on d.project_id = ${projectId} and d.id = l.id
    left join document_trees tree on tree.project_id = d.project_id and tree.id = d.tree_id
    left join work_orders w on w.project_id = ${projectId} and w.id = l.id
    left join themes t on t.project_id = ${projectId} and t.id = l.id
    left join feedback_items f on f.project_id = ${projectId} and f.id = l.id
    left join artifacts a on a.project_id = ${projectId} and a.id = l.id
    left join work_orders owner on owner.project_id = ${projectId} and owner.id = ${id}
    left join documents own on own.project_id = ${projectId} and own.id = ${id}
    left join link_confirmations theirs on not l.fixed and ${isOpen(db)} and theirs.project_id = ${projectId}
      and theirs.from_id = ${id} and theirs.to_id = l.id
    left join link_confirmations ours on not l.fixed and ${isOpen(db)} and ours.project_id = ${projectId}
      and ours.from_id = l.id and ours.to_id = ${id}
    order by l.position, l.id`
  return rows.map(({ theirConfirmed, ownConfirmed, ownVersion, ...row }) => ({
    ...row,
    changed: [
      ...changedOf(row.resourceId, theirConfirmed, row.version),
      ...changedOf(id, row.isFixed ? null : ownConfirmed, ownVersion),
    ],
  }))
}

/** What a completed work order was built from does not change any more. */
const isOpen = (db: Db) =>
  db`coalesce(w.status, owner.status, '') <> 'completed' and coalesce(owner.status, '') <> 'completed'`

const changedOf = (id: string, confirmedVersion: number | null, version: number | null): Changed[] =>
  confirmedVersion !== null && version !== null && version > confirmedVersion ? [{ id, confirmedVersion, version }] : []

/** The current versions of those that are documents, each with its id. */
export const listVersionIds = (db: Db, projectId: string, ids: string[]) => db<
  { id: string; versionId: string; versionNumber: number }[]
>`select id, version_id as "versionId", version_number as "versionNumber" from documents
  where project_id = ${projectId} and id = any(${ids}::uuid[])`

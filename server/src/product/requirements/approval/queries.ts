import type { Db } from '../../../kernel/database/index.ts'
import type { Approval, ApprovalState, Status } from './approval.ts'

export async function readState(db: Db, projectId: string, documentId: string): Promise<ApprovalState> {
  const [state] = await db<{ status: Status; ownerId: string | null; ownerName: string | null }[]>`
    select s.status, s.owner_id as "ownerId", u.name as "ownerName"
    from requirement_states s left join users u on u.id = s.owner_id
    where s.project_id = ${projectId} and s.document_id = ${documentId}`
  const approvals = await db<Approval[]>`
    select id, version_id as "versionId", version_number as "versionNumber", user_id as "userId",
      approved_by_name as "approvedByName", approved_at as "approvedAt"
    from requirement_approvals where project_id = ${projectId} and document_id = ${documentId}
    order by version_number desc, approved_at desc, id desc`
  const owner = state?.ownerId ? { id: state.ownerId, name: state.ownerName ?? '' } : null
  return { status: state?.status ?? 'draft', owner, approvals: [...approvals] }
}

export async function writeState(
  db: Db,
  projectId: string,
  documentId: string,
  { status, ownerId }: { status: Status; ownerId: string | null },
): Promise<void> {
  await db`insert into requirement_states (project_id, document_id, status, owner_id)
    values (${projectId}, ${documentId}, ${status}, ${ownerId})
    on conflict (project_id, document_id) do update set status = excluded.status, owner_id = excluded.owner_id`
}

interface NewApproval {
  id: string
  documentId: string
  versionId: string
  versionNumber: number
  userId: string | null
  userName: string
}

export async function insertApproval(db: Db, projectId: string, one: NewApproval): Promise<void> {
  await db`insert into requirement_approvals
      (project_id, id, document_id, version_id, version_number, user_id, approved_by_name, approved_at)
    values (${projectId}, ${one.id}, ${one.documentId}, ${one.versionId}, ${one.versionNumber}, ${one.userId},
      ${one.userName}, now())`
}

export async function deleteApproval(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from requirement_approvals where project_id = ${projectId} and id = ${id}`
}

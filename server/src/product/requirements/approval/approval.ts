import { conflict } from '../../../kernel/errors.ts'

/** Set by people. That a version is approved follows from the approvals. */
export const STATUSES = ['draft', 'in_review', 'retired'] as const
export type Status = (typeof STATUSES)[number]

export interface Approval {
  id: string
  versionId: string
  versionNumber: number
  userId: string | null
  approvedByName: string
  approvedAt: string
}

export interface ApprovalState {
  status: Status
  owner: { id: string; name: string } | null
  /** Newest first. */
  approvals: Approval[]
}

export const presentState = ({ status, owner, approvals }: ApprovalState) => ({
  status,
  owner,
  approvals: approvals.map((one) => ({
    id: one.id,
    version_id: one.versionId,
    version_number: one.versionNumber,
    user_id: one.userId,
    approved_by_name: one.approvedByName,
    approved_at: one.approvedAt,
  })),
})

export const notCurrent = (current: number) =>
  conflict(
    'changed_since',
    `The requirement has changed since: version ${current} is the current one. Read it, then approve it.`,
    { version_number: current },
  )

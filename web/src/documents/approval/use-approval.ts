import type { RequirementState } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { temporaryId } from '../../lib/ids.ts'
import { approveVersion, changeState, stateQuery, type Values, withdrawApproval } from './edits.ts'

export type Status = RequirementState['status']

/** The status, the owner and the approvals of a requirement. Changes are shown at once, with Undo. */
export function useApproval(projectId: string, id: string) {
  const { data: state } = useQuery(stateQuery(projectId, id))
  return {
    state,
    change(values: Values, text: string) {
      const before = 'status' in values ? { status: state!.status } : { owner: state!.owner }
      void changeState(projectId, { id, values, before, text })
    },
    approve(version: { version_id: string; version_number: number }, me: { id: string; display_name: string }) {
      const by = { user_id: me.id, approved_by_name: me.display_name, approved_at: new Date().toISOString() }
      void approveVersion(projectId, { id, approval: { id: temporaryId(), ...version, ...by } })
    },
    withdraw: (approval: RequirementState['approvals'][number]) => void withdrawApproval(projectId, { id, approval }),
  }
}

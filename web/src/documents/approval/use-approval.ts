import type { RequirementState } from '@slipway/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { clientOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'

export type Status = RequirementState['status']

/** Below the key of the review, so it is loaded again with whatever happens to the document. */
const stateQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'document-review', id, 'state'],
    queryFn: async ({ signal }) => (await clientOf(projectId).requirements.getState(id, { signal })).data,
  })

/** The status, the owner and the approvals of a requirement. Changes are shown at once, with Undo. */
export function useApproval(projectId: string, id: string) {
  const query = stateQuery(projectId, id)
  const { data } = useQuery(query)
  const client = clientOf(projectId).requirements

  const send = async (
    what: string,
    run: () => Promise<{ data: RequirementState }>,
    done?: { text: string; undo(after: RequirementState): void },
  ) => {
    try {
      const { data: after } = await run()
      queryClient.setQueryData(query.queryKey, after)
      if (done) showToast({ text: done.text, undo: () => done.undo(after) })
    } catch (err) {
      const retry = { label: 'Retry', run: () => void send(what, run, done) }
      showToast({ text: what, detail: (err as Error).message, tone: 'error', action: retry })
      await queryClient.invalidateQueries({ queryKey: query.queryKey })
    }
  }
  const change = async (patch: { status?: Status; owner_id?: string | null }, text?: string) => {
    const before = queryClient.getQueryData(query.queryKey)
    const old = { status: before?.status ?? 'draft', owner_id: before?.owner?.id ?? null } as const
    const undo = () => void change('status' in patch ? { status: old.status } : { owner_id: old.owner_id })
    await send(
      'The requirement was not changed',
      () => client.changeState(id, patch),
      text ? { text, undo } : undefined,
    )
  }
  const withdraw = (approvalId: string) =>
    send('The approval was not withdrawn', () => client.withdrawApproval(id, approvalId))
  const approve = (versionId: string, me: string) =>
    send('The version was not approved', () => client.approve(id, { version_id: versionId }), {
      text: 'Version approved',
      undo: ({ approvals }) => {
        const own = approvals.find((one) => one.version_id === versionId && one.user_id === me)
        if (own) void withdraw(own.id)
      },
    })
  return { state: data, change, approve, withdraw }
}

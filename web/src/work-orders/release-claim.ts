import type { WorkOrderClaim } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { claimQuery } from './api.ts'
import { refreshDetail, refreshRows } from './rows/cache.ts'
import type { WorkOrder } from './work-order.ts'

interface Release {
  workOrder: Pick<WorkOrder, 'id' | 'work_order_number'>
  claim: WorkOrderClaim
}

const show = (projectId: string, { workOrder }: Release, claim: WorkOrderClaim | null) =>
  queryClient.setQueryData(claimQuery(projectId, workOrder.id).queryKey, claim)

/** Takes a work order from whoever has claimed it. Later, somebody else may have it. */
export const releaseClaim = defineWrite<Release, unknown>({
  name: 'work-orders.release',
  waits: false,
  about: ({ workOrder }) => ({ subjects: [workOrder.id] }),
  send: ({ workOrder, claim: { fencing_token } }, { projectId, key }) => {
    const body = { fencing_token, status: 'ready' as const }
    return api.workOrders(callOf(projectId)).releaseClaim(workOrder.id, body, { idempotencyKey: key })
  },
  show: (release, projectId) => show(projectId, release, null),
  hide(release, projectId) {
    show(projectId, release, release.claim)
    void queryClient.invalidateQueries({ queryKey: claimQuery(projectId, release.workOrder.id).queryKey })
  },
  saved(_, { workOrder }, { projectId }) {
    refreshDetail(projectId, workOrder.work_order_number)
    refreshRows(projectId)
  },
  failure: () => 'It was not released.',
})

import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { countOf } from '../lib/numbers.ts'
import { queryClient } from '../lib/query-client.ts'

const MAX_OPERATIONS = 500

export interface Handover {
  /** Of work orders. */
  numbers: number[]
  /** Null gives them to nobody. */
  assigneeId: string | null
}

/** Gives work orders to somebody else. */
export async function assignAll(projectId: string, { numbers, assigneeId }: Handover, key: string): Promise<void> {
  const workOrders = api.workOrders(callOf(projectId))
  const refused: string[] = []
  for (let start = 0; start < numbers.length; start += MAX_OPERATIONS) {
    const operations = numbers.slice(start, start + MAX_OPERATIONS).map((work_order_number) => ({
      operation_id: String(work_order_number),
      operation_type: 'UpdateWorkOrder',
      target: { work_order_number },
      patch: { assignee_id: assigneeId },
    }))
    const request_id = `${key}-${start}`
    const { results } = await workOrders.batchUpdate({ request_id, operations }, { idempotencyKey: request_id })
    for (const { status, message } of Object.values(results)) if (status === 'failed') refused.push(message)
  }
  void queryClient.invalidateQueries({ queryKey: [projectId] })
  if (refused.length > 0)
    throw new Error(`${countOf(refused.length, 'work order')} could not be given away. ${refused[0]}`)
}

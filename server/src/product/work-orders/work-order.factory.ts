import type { Client } from '../../../test/harness.ts'

let requests = 0

/** Creates work orders through the API and returns their ids in the order of the given values. */
export async function createWorkOrders(
  api: Client,
  ...all: Record<string, unknown>[]
): Promise<{ id: string; number: number }[]> {
  const operations = all.map((patch, index) => ({
    operation_id: `op${index}`,
    operation_type: 'CreateWorkOrder',
    patch,
  }))
  const { body, status } = await api.post('/work_orders/batch_create', {
    request_id: `factory-${process.pid}-${++requests}`,
    operations,
  })
  if (status !== 200 || body.status !== 'Succeeded')
    throw new Error(`batch_create answered ${status}: ${JSON.stringify(body)}`)
  return operations.map(({ operation_id }) => {
    const result = body.results[operation_id]
    return { id: result.work_order_id, number: result.work_order_number }
  })
}

export async function createWorkOrder(
  api: Client,
  patch: Record<string, unknown> = {},
): Promise<{ id: string; number: number }> {
  const [created] = await createWorkOrders(api, { title: 'Round the total once', ...patch })
  return created!
}

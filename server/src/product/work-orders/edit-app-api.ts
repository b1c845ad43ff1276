import { answerData } from '../../kernel/http/answers/etag.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { readValues } from './batches/operations.ts'
import { changeWorkOrder } from './change.ts'
import { representWorkOrder } from './representation.ts'
import { WorkOrderData, WorkOrderParams, WorkOrderValues } from './schema.ts'
import { refused } from './work-order.ts'

/** What a person edits in place. With `If-Match`, nobody else's text is overwritten unseen. */
export function registerEditRoute(face: Face) {
  face.patch(
    '/work_orders/:work_order_id',
    operation({
      id: 'updateWorkOrder',
      summary: 'Change a work order',
      description: 'Sets the fields that are sent. Null clears one.',
      tags: ['Work orders'],
      params: WorkOrderParams,
      body: WorkOrderValues,
      answer: WorkOrderData,
      etag: true,
    }),
    async (req, reply) => {
      const values = readValues(req.body)
      if ('fault' in values) throw refused(values.fault)
      return answerData(
        req,
        reply,
        representWorkOrder(await changeWorkOrder(req.ctx, req.params.work_order_id, values)),
      )
    },
  )
}

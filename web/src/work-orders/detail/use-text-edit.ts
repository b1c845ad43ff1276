import { useState } from 'react'
import { queryClient } from '../../lib/query-client.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { updateWorkOrders, type WorkOrderFields, workOrderQuery } from '../api.ts'
import type { WorkOrder } from '../work-order.ts'

/** Editing a long text: a failed write keeps the text here and on this device, with the reason and Retry. */
export function useTextEdit(
  projectId: string,
  workOrder: WorkOrder,
  name: string,
  fieldsOf: (text: string) => WorkOrderFields,
) {
  const key = `draft-${workOrder.id}-${name}`
  const [text, setText] = useState<string | undefined>(() => remembered(key))
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)

  const change = (next: string) => {
    setText(next)
    remember(key, next)
  }
  const cancel = () => {
    setText(undefined)
    setFault(undefined)
    remember(key, undefined)
  }
  const save = async (value = text) => {
    if (value === undefined || busy) return
    setBusy(true)
    setFault(undefined)
    try {
      const results = await updateWorkOrders(projectId, [
        { id: workOrder.id, number: workOrder.work_order_number, fields: fieldsOf(value) },
      ])
      const result = results.get(workOrder.id)
      if (result?.status !== 'succeeded') throw new Error(result?.message || 'It was not saved.')
      await queryClient.invalidateQueries({ queryKey: workOrderQuery(projectId, workOrder.work_order_number).queryKey })
      cancel()
    } catch (err) {
      change(value)
      setFault((err as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return { text, fault, busy, change, cancel, save }
}

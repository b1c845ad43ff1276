import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { PATIENT, showTransfers } from './api.ts'

export type NewTransfer =
  | { of: 'export' }
  | { of: 'project'; file: File }
  | { of: 'work_orders'; file: File }
  | { of: 'documents'; file: File; kind: 'requirements' | 'blueprints' }

/** A file cannot be kept for later. */
export const startTransfer = defineWrite<NewTransfer, unknown>({
  name: 'transfers.start',
  waits: false,
  about: () => ({ subjects: ['transfers'] }),
  send(wanted, { projectId, key }) {
    const transfers = api.transfers(callOf(projectId))
    const options = { ...PATIENT, idempotencyKey: key }
    if (wanted.of === 'export') return transfers.startExport({ idempotencyKey: key })
    if (wanted.of === 'project') return transfers.startImport({ file: wanted.file }, options)
    if (wanted.of === 'work_orders') return transfers.importWorkOrders({ file: wanted.file }, options)
    return transfers.importDocuments({ file: wanted.file, kind: wanted.kind }, options)
  },
  saved: (_, __, { projectId }) => void showTransfers(projectId),
  hide: (_, projectId) => void showTransfers(projectId),
})

import { type Static, Type } from 'typebox'
import { exampleOf } from '../../../kernel/http/openapi/example.ts'
import { FilledText, Nullable, named, OneOf, Text, Uuid } from '../../../kernel/http/schema.ts'
import { WorkOrderValues } from '../schema.ts'

/** Each type with the values it requires. The first missing one fails the operation. */
export const UPDATE_TYPES = {
  UpdateWorkOrder: undefined,
  UpdateStatus: ['status'],
  UpdateTitle: ['title'],
  UpdateDescription: ['markdown_content'],
  UpdatePriority: ['priority'],
  UpdateType: ['type'],
  UpdateAssignee: ['assignee_id', 'assignee_email'],
  UpdatePhase: ['phase_id', 'phase_number'],
  UpdateLabels: ['label_ids'],
  UpdateImplementationPlan: ['implementation_plan'],
  UpdateConnectedContext: ['connectedContext'],
  DeleteWorkOrder: [],
} as const

export type UpdateType = keyof typeof UPDATE_TYPES

const MAX_OPERATIONS = 500

export const Target = Type.Object({
  work_order_id: Type.Optional(Uuid),
  work_order_number: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [12] })),
})

/** What an operation may expect before it changes anything. */
export const EXPECTED_NAMES = [
  'title',
  'status',
  'priority',
  'type',
  'assignee_id',
  'assignee_email',
  'phase_id',
  'phase_number',
  'label_ids',
] as const
const Expected = Type.Pick(WorkOrderValues, EXPECTED_NAMES, {
  description: 'The operation fails if the work order has other values than these.',
})

/**
 * Checks only what makes the envelope readable. Each operation is checked separately, so that a bad value fails that
 * operation and not its neighbours.
 */
const envelope = (operation: Record<string, unknown>, name: string) =>
  named(
    name,
    Type.Object({
      request_id: FilledText(255, { examples: ['import-2026-11-15'] }),
      operations: Type.Array(
        Type.Object(
          {
            operation_id: FilledText(255, { examples: ['op-1'] }),
            operation_type: Text(2_000_000, { examples: [operation.operation_type] }),
          },
          {
            additionalProperties: true,
            examples: [operation],
            'x-documented': {
              ...(operation.target ? { target: Target } : {}),
              patch: named('WorkOrderValues', WorkOrderValues),
              ...(operation.target ? { expected: Expected } : {}),
            },
          },
        ),
        { minItems: 1, maxItems: MAX_OPERATIONS },
      ),
    }),
  )

export const BatchCreateBody = envelope(
  {
    operation_id: 'op-1',
    operation_type: 'CreateWorkOrder',
    patch: { title: 'Round the total once', priority: 'high' },
  },
  'BatchCreate',
)

export const BatchUpdateBody = envelope(
  {
    operation_id: 'op-1',
    operation_type: 'UpdateStatus',
    target: { work_order_number: 12 },
    patch: { status: 'in_progress' },
  },
  'BatchUpdate',
)

export const BatchOutcome = named(
  'BatchOutcome',
  Type.Object({
    operation_id: Type.String({ examples: ['op-1'] }),
    operation_type: Type.String({ examples: ['UpdateStatus'] }),
    status: OneOf(['succeeded', 'failed']),
    work_order_id: Nullable(Uuid),
    work_order_number: Nullable(Type.Integer({ examples: [12] })),
    message: Type.String({ examples: [''] }),
  }),
)

export type BatchOutcome = Static<typeof BatchOutcome>

export const BatchResult = named(
  'BatchResult',
  Type.Object({
    request_id: Type.String({ examples: ['import-2026-11-15'] }),
    status: OneOf(['Succeeded', 'PartiallySucceeded', 'Failed']),
    // The key pattern of `Type.Record` does not match line feeds, so results under such keys would be dropped.
    results: Type.Unsafe<Record<string, BatchOutcome>>({
      type: 'object',
      additionalProperties: BatchOutcome,
      description: 'By `operation_id`.',
      examples: [{ 'op-1': exampleOf(BatchOutcome) }],
    }),
  }),
)

export type BatchResult = Static<typeof BatchResult>

export const VALUE_NAMES = Object.keys(WorkOrderValues.properties) as (keyof typeof WorkOrderValues.properties)[]

import type { Static } from 'typebox'
import { digestOf } from '../../../kernel/database/replays.ts'
import { invalid, quoted } from '../../../kernel/errors.ts'
import { stripUnknown } from '../../../kernel/http/bodies/body.ts'
import { bodyChecker, fieldErrors } from '../../../kernel/http/validation.ts'
import { mapYielding } from '../../../kernel/yielding-loops.ts'
import type { Change } from '../change.ts'
import { WorkOrderValues } from '../schema.ts'
import { type Fault, type Target, toDescription, type WorkOrderValues as Values } from '../work-order.ts'
import {
  type BatchCreateBody,
  EXPECTED_NAMES,
  Target as TargetShape,
  UPDATE_TYPES,
  type UpdateType,
  VALUE_NAMES,
} from './batch-schema.ts'
import type { ExpectedValues } from './expected-values.ts'

type Envelope = Static<typeof BatchCreateBody>
type SentOperation = Envelope['operations'][number] & Record<string, unknown>
type SentValues = Static<typeof WorkOrderValues>

/** One operation of a batch: what it asks for, or why it cannot be read. */
export interface Operation<Wanted> {
  operationId: string
  operationType: string
  wanted: Wanted | Fault
  /** Unknown fields. */
  ignored: string[]
}

export interface Batch<Wanted> {
  requestId: string
  operations: Operation<Wanted>[]
}

/** Includes the hash that identifies the request when its `request_id` is sent again. */
export interface CreateBatch extends Batch<Values> {
  requestSha256: string
}

const checkValues = bodyChecker(WorkOrderValues)
const checkTarget = bodyChecker(TargetShape)
const stripValues = stripUnknown(WorkOrderValues)
const targetFields = Object.keys(TargetShape.properties)

const ENVELOPE_FIELDS = new Set(['operation_id', 'operation_type', 'target', 'patch', 'work_order', 'expected'])

export async function readCreates(envelope: Envelope): Promise<CreateBatch> {
  // Must come first, because reading removes unknown fields from what was sent.
  const requestSha256 = await digestOf(envelope)
  return { ...(await readBatch(envelope, readCreate)), requestSha256 }
}

export const readUpdates = (envelope: Envelope): Promise<Batch<Change>> => readBatch(envelope, readUpdate)

/** Yields in between, because a batch can have many long descriptions. */
async function readBatch<Wanted>(
  envelope: Envelope,
  read: (operation: SentOperation, ignored: string[]) => Wanted | Fault,
): Promise<Batch<Wanted>> {
  refuseDuplicateIds(envelope)
  const operations = await mapYielding(envelope.operations as SentOperation[], (operation) => {
    const ignored: string[] = []
    const wanted = read(operation, ignored)
    return { operationId: operation.operation_id, operationType: operation.operation_type, wanted, ignored }
  })
  return { requestId: envelope.request_id, operations }
}

/** `results` is keyed by operation id, so an id may occur only once. */
function refuseDuplicateIds({ operations }: Envelope): void {
  const seen = new Set<string>()
  for (const [index, { operation_id }] of operations.entries()) {
    if (seen.has(operation_id))
      throw invalid([
        {
          pointer: `/operations/${index}/operation_id`,
          detail: `"${operation_id}" is used twice. Give each operation its own id.`,
        },
      ])
    seen.add(operation_id)
  }
}

function readCreate(operation: SentOperation, ignored: string[]): Values | Fault {
  if (operation.operation_type !== 'CreateWorkOrder')
    return { fault: `${quoted(operation.operation_type)} is not possible in batch_create. Use: CreateWorkOrder.` }
  const sent = findValues(operation, VALUE_NAMES, ignored)
  return 'fault' in sent ? sent : readValues(sent)
}

function readUpdate(operation: SentOperation, ignored: string[]): Change | Fault {
  const type = operation.operation_type as UpdateType
  if (!Object.hasOwn(UPDATE_TYPES, type))
    return {
      fault: `${quoted(type)} is not possible in batch_update. Use one of: ${Object.keys(UPDATE_TYPES).join(', ')}.`,
    }
  const target = readTarget(operation.target, ignored)
  if ('fault' in target) return target
  const takes: readonly (keyof SentValues)[] = UPDATE_TYPES[type] ?? VALUE_NAMES
  const sent = findValues(operation, takes, ignored)
  if ('fault' in sent) return sent
  const values = readValues(sent)
  if ('fault' in values) return values
  if (type !== 'UpdateWorkOrder' && takes.length > 0 && takes.every((name) => sent[name] === undefined))
    return { fault: `${type} needs ${takes.map((name) => `"${name}"`).join(' or ')} in "patch".` }
  const expected = readExpected(operation.expected)
  if (expected && 'fault' in expected) return expected
  return { target, values, deletes: type === 'DeleteWorkOrder', expected }
}

function readExpected(sent: unknown): ExpectedValues | Fault | undefined {
  if (sent === undefined || sent === null) return undefined
  const names: readonly string[] = EXPECTED_NAMES
  if (typeof sent !== 'object' || Object.keys(sent).some((name) => !names.includes(name)))
    return { fault: `"expected" must be an object with some of: ${EXPECTED_NAMES.join(', ')}.` }
  const errors = checkValues(sent)
  return errors ? { fault: `expected${faultOf(errors)}` } : readValues(sent as SentValues)
}

function readTarget(target: unknown, ignored: string[]): Target | Fault {
  if (target === undefined || target === null)
    return { fault: 'It needs a "target" with "work_order_id" or "work_order_number".' }
  const errors = checkTarget(target)
  if (errors) return { fault: `target${faultOf(errors)}` }
  const { work_order_id: id, work_order_number: number } = target as Static<typeof TargetShape>
  if ((id === undefined) === (number === undefined))
    return { fault: 'The "target" needs exactly one of "work_order_id" and "work_order_number".' }
  const unknown = Object.keys(target).filter((name) => !targetFields.includes(name))
  ignored.push(...unknown.map((name) => `target.${name}`))
  return id === undefined ? { number: number! } : { id: id.toLowerCase() }
}

/** Values can be in `patch`, in `work_order` or directly on the operation. The first of these wins. */
function findValues(
  operation: SentOperation,
  takes: readonly (keyof SentValues)[],
  ignored: string[],
): SentValues | Fault {
  const values: Record<string, unknown> = {}
  const take = (from: Record<string, unknown>, path: string, skipped?: Set<string>) => {
    for (const name of Object.keys(from)) {
      if (skipped?.has(name)) continue
      if (!(takes as readonly string[]).includes(name)) ignored.push(path + name)
      else if (!(name in values)) values[name] = from[name]
    }
  }
  for (const place of ['patch', 'work_order'] as const) {
    const from = operation[place]
    if (from === undefined || from === null) continue
    if (typeof from !== 'object' || Array.isArray(from))
      return { fault: `"${place}" must be an object with the values to set.` }
    take(from as Record<string, unknown>, `${place}.`)
  }
  take(operation, '', ENVELOPE_FIELDS)

  ignored.push(...stripValues(values))
  const errors = checkValues(values)
  return errors ? { fault: faultOf(errors) } : (values as SentValues)
}

/** Translates validated values. */
export function readValues(sent: SentValues): Values | Fault {
  const { assignee_id, assignee_email, phase_id, phase_number, markdown_content, implementation_plan: plan } = sent
  if (assignee_id && assignee_email) return { fault: 'Give only one of "assignee_id" and "assignee_email".' }
  if (phase_id && phase_number != null) return { fault: 'Give only one of "phase_id" and "phase_number".' }
  return {
    title: sent.title,
    description: markdown_content === undefined ? undefined : toDescription(markdown_content),
    status: sent.status,
    priority: sent.priority,
    type: sent.type,
    assignee: assignee_id
      ? { id: assignee_id }
      : assignee_email
        ? { email: assignee_email }
        : nullIfCleared(assignee_id, assignee_email),
    phase: phase_id
      ? { id: phase_id }
      : phase_number != null
        ? { number: phase_number }
        : nullIfCleared(phase_id, phase_number),
    labelIds: sent.label_ids,
    implementationPlan: plan && toPlan(plan),
    context: sent.connectedContext,
  }
}

const nullIfCleared = (...sent: unknown[]) => (sent.includes(null) ? null : undefined)

/** Orders fields as they are stored, so that an unchanged plan equals the stored one. */
const toPlan = ({ files, markdown_content }: NonNullable<SentValues['implementation_plan']>) => ({
  files: files.map(({ path, action, description }) => ({ path, action, description })),
  markdownContent: markdown_content,
})

function faultOf(errors: Parameters<typeof fieldErrors>[0]): string {
  return fieldErrors(errors)
    .map(({ pointer, detail }) => `${pointer}: ${detail}`)
    .join(' ')
}

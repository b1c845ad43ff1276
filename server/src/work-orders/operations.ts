import type { Static } from 'typebox'
import { digestOf } from '../kernel/database/replays.ts'
import { invalid, quoted } from '../kernel/errors.ts'
import { stripUnknown } from '../kernel/http/bodies/body.ts'
import { bodyChecker, fieldErrors } from '../kernel/http/validation.ts'
import { mapInTurns } from '../kernel/turns.ts'
import { type BatchCreateBody, Target, UPDATE_TYPES, type UpdateType, VALUE_NAMES } from './batch-schema.ts'
import type { Values } from './references.ts'
import { WorkOrderValues } from './schema.ts'
import { workOrderSnippet } from './work-order.ts'

export type Envelope = Static<typeof BatchCreateBody>
export type Operation = Envelope['operations'][number] & Record<string, unknown>

export interface ParsedCreate {
  values: Values
  /** Of the new description; undefined when there is none. */
  snippet: string | undefined
  ignored: string[]
}

export interface ParsedUpdate extends ParsedCreate {
  type: UpdateType
  target: { id: string } | { number: number }
}

export interface Fault {
  fault: string
}

/** A batch that is read and checked, and still has to be applied. */
export interface Batch<Parsed> {
  requestId: string
  operations: { operation: Operation; parsed: Parsed | Fault }[]
}

/** With what tells it apart when its `request_id` comes again. */
export interface CreateBatch extends Batch<ParsedCreate> {
  requestSha256: string
}

const checkValues = bodyChecker(WorkOrderValues)
const checkTarget = bodyChecker(Target)
const stripValues = stripUnknown(WorkOrderValues)
const targetFields = Object.keys(Target.properties)

const ENVELOPE_FIELDS = new Set(['operation_id', 'operation_type', 'target', 'patch', 'work_order'])

export async function readCreates(envelope: Envelope): Promise<CreateBatch> {
  // First, because reading takes unknown fields out of what was sent.
  const requestSha256 = await digestOf(envelope)
  return { ...(await readBatch(envelope, parseCreate)), requestSha256 }
}

export const readUpdates = (envelope: Envelope) => readBatch(envelope, parseUpdate)

async function readBatch<Parsed>(
  envelope: Envelope,
  parse: (operation: Operation) => Parsed | Fault,
): Promise<Batch<Parsed>> {
  refuseDuplicateIds(envelope)
  const operations = await mapInTurns(envelope.operations as Operation[], (operation) => ({
    operation,
    parsed: parse(operation),
  }))
  return { requestId: envelope.request_id, operations }
}

/** `results` is keyed by the operation's id, so an id can stand only once in an envelope. */
function refuseDuplicateIds({ operations }: Envelope): void {
  const seen = new Set<string>()
  for (const [index, { operation_id }] of operations.entries()) {
    if (seen.has(operation_id))
      throw invalid([
        {
          pointer: `/operations/${index}/operation_id`,
          detail: `"${operation_id}" stands twice. Give each operation its own id.`,
        },
      ])
    seen.add(operation_id)
  }
}

function parseCreate(operation: Operation): ParsedCreate | Fault {
  if (operation.operation_type !== 'CreateWorkOrder')
    return { fault: `${quoted(operation.operation_type)} is not possible in batch_create. Use: CreateWorkOrder.` }
  return parseValues(operation, VALUE_NAMES)
}

function parseUpdate(operation: Operation): ParsedUpdate | Fault {
  const type = operation.operation_type as UpdateType
  if (!Object.hasOwn(UPDATE_TYPES, type))
    return {
      fault: `${quoted(type)} is not possible in batch_update. Use one of: ${Object.keys(UPDATE_TYPES).join(', ')}.`,
    }
  const target = parseTarget(operation.target)
  if ('fault' in target) return target
  const takes: readonly (keyof Values)[] = UPDATE_TYPES[type] ?? VALUE_NAMES
  const parsed = parseValues(operation, takes)
  if ('fault' in parsed) return parsed
  if (type !== 'UpdateWorkOrder' && takes.length > 0 && takes.every((name) => parsed.values[name] === undefined))
    return { fault: `${type} needs ${takes.map((name) => `"${name}"`).join(' or ')} in "patch".` }
  const unknown = Object.keys(operation.target as object).filter((name) => !targetFields.includes(name))
  const ignored = [...unknown.map((name) => `target.${name}`), ...parsed.ignored]
  return { ...parsed, ignored, type, target }
}

function parseTarget(target: unknown): ParsedUpdate['target'] | Fault {
  if (target === undefined || target === null)
    return { fault: 'It needs a "target" with "work_order_id" or "work_order_number".' }
  const errors = checkTarget(target)
  if (errors) return { fault: `target${faultOf(errors)}` }
  const { work_order_id: id, work_order_number: number } = target as Static<typeof Target>
  if ((id === undefined) === (number === undefined))
    return { fault: 'The "target" needs exactly one of "work_order_id" and "work_order_number".' }
  return id === undefined ? { number: number! } : { id: id.toLowerCase() }
}

/** Values stand in `patch`, in `work_order` or straight on the operation; where they stand twice, the first wins. */
function parseValues(operation: Operation, takes: readonly (keyof Values)[]): ParsedCreate | Fault {
  const values: Record<string, unknown> = {}
  const ignored: string[] = []
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
  if (errors) return { fault: faultOf(errors) }
  const checked = values as Values
  if (checked.assignee_id && checked.assignee_email)
    return { fault: 'Give only one of "assignee_id" and "assignee_email".' }
  if (checked.phase_id && checked.phase_number != null)
    return { fault: 'Give only one of "phase_id" and "phase_number".' }
  const { markdown_content: description } = checked
  return { values: checked, snippet: description === undefined ? undefined : workOrderSnippet(description), ignored }
}

function faultOf(errors: Parameters<typeof fieldErrors>[0]): string {
  return fieldErrors(errors)
    .map(({ pointer, detail }) => `${pointer}: ${detail}`)
    .join(' ')
}

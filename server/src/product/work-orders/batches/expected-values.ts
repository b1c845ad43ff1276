import type { WorkOrder, WorkOrderValues } from '../work-order.ts'

/** What a change may expect a work order to have. Texts have an ETag. */
export type ExpectedValues = Pick<
  WorkOrderValues,
  'title' | 'status' | 'priority' | 'type' | 'assignee' | 'phase' | 'labelIds'
>

/** Says what is different, for a person. Undefined if everything is as expected. */
export function differenceFrom(expected: ExpectedValues, now: WorkOrder): string | undefined {
  for (const name of ['title', 'status', 'priority', 'type'] as const)
    if (expected[name] !== undefined && expected[name] !== now[name])
      return `The ${name} is "${now[name]}" now, not "${expected[name]}".`
  const { assignee, phase, labelIds } = expected
  if (assignee !== undefined && !isAssigned(assignee, now)) return 'The assignee was changed.'
  if (phase !== undefined && !isInPhase(phase, now)) return 'The phase was changed.'
  if (labelIds && idsOf(labelIds) !== idsOf(now.labels.map(({ id }) => id))) return 'The labels were changed.'
  return undefined
}

function isAssigned(assignee: NonNullable<ExpectedValues['assignee']> | null, now: WorkOrder): boolean {
  if (!assignee || !now.assignee) return !assignee && !now.assignee
  return 'id' in assignee
    ? assignee.id.toLowerCase() === now.assignee.id
    : assignee.email.toLowerCase() === now.assignee.email.toLowerCase()
}

function isInPhase(phase: NonNullable<ExpectedValues['phase']> | null, now: WorkOrder): boolean {
  if (!phase || !now.phase) return !phase && !now.phase
  return 'id' in phase ? phase.id.toLowerCase() === now.phase.id : phase.number === now.phase.phaseNumber
}

const idsOf = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))].sort().join()

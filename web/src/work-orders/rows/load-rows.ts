import type { LeanWorkOrder } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import type { Label, Person, Phase, WorkOrderRow } from '../work-order.ts'

interface Names {
  phases: Phase[]
  labels: Label[]
  people: Person[]
}

/** Where the next reading of a project's rows goes on. */
const positions = new Map<string, string>()

/** Whether only the first rows have been loaded. */
export const isPartial = (projectId: string) => !positions.has(projectId)

/** Reads all rows, and after that only what changed. */
export async function loadRows(projectId: string, signal: AbortSignal, names: Promise<Names>): Promise<WorkOrderRow[]> {
  const known = queryClient.getQueryData<WorkOrderRow[]>([projectId, 'work-orders'])
  const after = known && positions.get(projectId)
  if (!after) positions.delete(projectId)
  const { listRows } = api.workOrders(callOf(projectId))
  const [answer, vocabulary] = await Promise.all([listRows({ after }, { signal }), names])
  const join = joinTo(vocabulary)
  if (answer.is_complete) {
    const rows = answer.items.map(join)
    // The first are shown while the rest is on its way.
    if (!known && answer.next_below !== null) queryClient.setQueryData([projectId, 'work-orders'], [...rows])
    for (let below = answer.next_below; below !== null; ) {
      const next = await listRows({ below }, { signal })
      for (const row of next.items) rows.push(join(row))
      below = next.next_below
    }
    // That of the first answer: what happened since is listed again.
    positions.set(projectId, answer.position)
    return rows
  }
  positions.set(projectId, answer.position)
  // Read again: what was shown meanwhile is newer than what was known when the request began.
  const rows = queryClient.getQueryData<WorkOrderRow[]>([projectId, 'work-orders']) ?? known ?? []
  return merge(rows.map(join), answer.items.map(join), new Set(answer.removed_ids))
}

/** Gives rows the names of what they refer to. A row whose names are the same stays the same object. */
function joinTo({ phases, labels, people }: Names) {
  const phaseById = new Map(phases.map((one) => [one.id, one]))
  const personById = new Map(people.map((one) => [one.id, one]))
  const labelById = new Map(labels.map((one) => [one.id, one]))
  const inOrder = new Map(labels.map(({ id }, index) => [id, index]))
  return (row: LeanWorkOrder | WorkOrderRow): WorkOrderRow => {
    const known = 'labels' in row ? row : undefined
    const phaseId = known ? known.phase?.id : (row as LeanWorkOrder).phase_id
    const assigneeId = known ? known.assignee?.id : (row as LeanWorkOrder).assignee_id
    const labelIds = known ? known.labels.map(({ id }) => id) : (row as LeanWorkOrder).label_ids
    const phase = (phaseId && phaseById.get(phaseId)) || null
    const assignee = (assigneeId && personById.get(assigneeId)) || null
    const own = labelIds.flatMap((id) => labelById.get(id) ?? [])
    if (known && isSame(known, phase, assignee, own)) return known
    if (own.length > 1) own.sort((a, b) => inOrder.get(a.id)! - inOrder.get(b.id)!)
    return {
      id: row.id,
      work_order_number: row.work_order_number,
      title: row.title,
      status: row.status,
      priority: row.priority,
      type: row.type,
      phase,
      assignee,
      labels: own,
      updated_at: row.updated_at,
      comment_count: row.comment_count,
    }
  }
}

const isSame = (row: WorkOrderRow, phase: Phase | null, assignee: Person | null, labels: Label[]) =>
  row.phase === phase &&
  row.assignee === assignee &&
  row.labels.length === labels.length &&
  labels.every((label, index) => row.labels[index] === label)

function merge(rows: WorkOrderRow[], changed: WorkOrderRow[], removed: Set<string>): WorkOrderRow[] {
  const byId = new Map(changed.map((row) => [row.id, row]))
  const kept = rows.flatMap((row) => {
    const newer = byId.get(row.id)
    byId.delete(row.id)
    return removed.has(row.id) ? [] : [newer ?? row]
  })
  return [...byId.values(), ...kept]
}

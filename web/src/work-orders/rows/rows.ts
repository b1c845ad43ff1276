import { shownName } from '../../people/Avatar.tsx'
import type { Filter } from '../search.ts'
import {
  type Group,
  type Phase,
  PRIORITIES,
  PRIORITY_NAMES,
  phaseName,
  type Sort,
  STATUS_NAMES,
  STATUS_ORDER,
  type WorkOrderRow,
} from '../work-order.ts'

const DAY_MS = 86_400_000
export const UPDATED_WITHIN: Record<string, number> = { today: 1, week: 7, month: 30 }

/** The ids of the work orders that are claimed now. */
export type Claimed = ReadonlySet<string>

function valuesOf(row: WorkOrderRow, field: Filter['field'], claimed: Claimed): string[] {
  switch (field) {
    case 'phase':
      return [row.phase?.id ?? 'none']
    case 'assignee':
      return [row.assignee?.id ?? 'none']
    case 'label':
      return row.labels.length > 0 ? row.labels.map(({ id }) => id) : ['none']
    case 'claim':
      return [claimed.has(row.id) ? 'agents' : 'none']
    case 'title':
    case 'updated':
      return []
    default:
      return [row[field]]
  }
}

function matches(row: WorkOrderRow, { field, negated, values }: Filter, claimed: Claimed): boolean {
  if (field === 'title') return row.title.toLowerCase().includes(values[0]!.toLowerCase())
  if (field === 'updated') {
    const days = UPDATED_WITHIN[values[0]!]
    return !days || !row.updated_at || Date.now() - Date.parse(row.updated_at) < days * DAY_MS
  }
  return valuesOf(row, field, claimed).some((value) => values.includes(value)) !== negated
}

export const filterRows = (rows: WorkOrderRow[], filters: Filter[], claimed: Claimed): WorkOrderRow[] =>
  filters.length === 0 ? rows : rows.filter((row) => filters.every((filter) => matches(row, filter, claimed)))

/** How many rows have each value of a field. The field's own filter does not count. */
export function countValues(
  rows: WorkOrderRow[],
  filters: Filter[],
  field: Filter['field'],
  claimed: Claimed,
): Map<string, number> {
  const counts = new Map<string, number>()
  const others = filters.filter((filter) => filter.field !== field)
  for (const row of filterRows(rows, others, claimed))
    for (const value of valuesOf(row, field, claimed)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const rankOf = (row: WorkOrderRow) => PRIORITIES.indexOf(row.priority)

// Many times faster than comparing by locale one by one.
const byName = new Intl.Collator()

const COMPARE: Record<Sort, (a: WorkOrderRow, b: WorkOrderRow) => number> = {
  priority: (a, b) => rankOf(a) - rankOf(b) || b.work_order_number - a.work_order_number,
  number: (a, b) => a.work_order_number - b.work_order_number,
  '-number': (a, b) => b.work_order_number - a.work_order_number,
  title: (a, b) => byName.compare(a.title, b.title),
  '-updated': (a, b) =>
    (b.updated_at ?? '').localeCompare(a.updated_at ?? '') || b.work_order_number - a.work_order_number,
}

export const sortRows = (rows: WorkOrderRow[], sort: Sort): WorkOrderRow[] => [...rows].sort(COMPARE[sort])

export interface RowGroup {
  key: string
  name: string
  rows: WorkOrderRow[]
}

const NOBODY: Claimed = new Set()

/** Splits sorted rows. Groups without rows are left out. */
export function groupRows(rows: WorkOrderRow[], by: Group, phases: Phase[]): RowGroup[] {
  if (by === 'none') return rows.length > 0 ? [{ key: 'all', name: 'All', rows }] : []
  const byKey = new Map<string, WorkOrderRow[]>()
  for (const row of rows) {
    const key = valuesOf(row, by, NOBODY)[0]!
    const found = byKey.get(key)
    if (found) found.push(row)
    else byKey.set(key, [row])
  }
  const keys = keysInOrder(by, byKey, phases)
  return keys.flatMap((key) => {
    const found = byKey.get(key)
    return found ? [{ key, name: nameOf(by, key, found[0]!), rows: found }] : []
  })
}

export const rowsInOrder = (groups: RowGroup[], folded: ReadonlySet<string>): WorkOrderRow[] =>
  groups.flatMap((group) => (folded.has(group.key) ? [] : group.rows))

function keysInOrder(by: Group, byKey: Map<string, WorkOrderRow[]>, phases: Phase[]): string[] {
  if (by === 'status') return STATUS_ORDER
  if (by === 'priority') return [...PRIORITIES]
  if (by === 'phase') return [...new Set([...phases.map(({ id }) => id), ...byKey.keys()])].sort(lastIfNone)
  const name = (key: string) => byKey.get(key)![0]!.assignee?.name ?? ''
  return [...byKey.keys()].sort((a, b) => lastIfNone(a, b) || name(a).localeCompare(name(b)))
}

const lastIfNone = (a: string, b: string) => Number(a === 'none') - Number(b === 'none')

function nameOf(by: Group, key: string, row: WorkOrderRow): string {
  if (by === 'status') return STATUS_NAMES[row.status]
  if (by === 'priority') return PRIORITY_NAMES[row.priority]
  if (by === 'phase') return row.phase ? phaseName(row.phase) : 'No phase'
  return key === 'none' ? 'Nobody' : shownName(row.assignee!)
}

import { csvText, downloadCsv } from '../lib/csv.ts'
import { codeOf, PRIORITY_NAMES, phaseName, STATUS_NAMES, TYPE_NAMES, type WorkOrderRow } from './work-order.ts'

const HEAD = ['Number', 'Title', 'Status', 'Priority', 'Type', 'Phase', 'Assignee', 'Labels', 'Comments', 'Updated']

export function csvOf(rows: WorkOrderRow[]): string {
  const lines = rows.map((row) => [
    codeOf(row),
    row.title,
    STATUS_NAMES[row.status],
    PRIORITY_NAMES[row.priority],
    TYPE_NAMES[row.type],
    row.phase ? phaseName(row.phase) : '',
    row.assignee?.name ?? '',
    row.labels.map(({ title }) => title).join(', '),
    String(row.comment_count ?? 0),
    row.updated_at ?? '',
  ])
  return csvText([HEAD, ...lines])
}

export const downloadRows = (rows: WorkOrderRow[], projectName: string): void =>
  downloadCsv(csvOf(rows), projectName, 'work-orders', new Date().toISOString().slice(0, 10))

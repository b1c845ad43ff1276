import { codeOf, PRIORITY_NAMES, phaseName, STATUS_NAMES, TYPE_NAMES, type WorkOrderRow } from './work-order.ts'

const HEAD = ['Number', 'Title', 'Status', 'Priority', 'Type', 'Phase', 'Assignee', 'Labels', 'Comments', 'Updated']

/** What a spreadsheet would run as a formula starts with one of these. */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Comma-separated values as RFC 4180 has them, in UTF-8. */
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
  return [HEAD, ...lines].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

export function downloadCsv(rows: WorkOrderRow[], projectName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
  const name = projectName.replaceAll(/[^\p{L}\d]+/gu, '-').toLowerCase()
  link.download = `${name}-work-orders-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

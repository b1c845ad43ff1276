/** What a spreadsheet would run as a formula starts with one of these. */
const FORMULA = /^[=+\-@\t\r]/

function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Comma-separated values as RFC 4180 has them, in UTF-8. */
export const csvText = (lines: string[][]): string =>
  lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')

/** Lets the browser store a file, named after the project, what it is, and when or of when. */
export function downloadCsv(text: string, projectName: string, what: string, when: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const name = projectName.replaceAll(/[^\p{L}\d]+/gu, '-').toLowerCase()
  link.download = `${name}-${what}-${when}.csv`
  link.click()
  // The browser has taken the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

import { parse } from 'csv-parse/browser/esm/sync'

const MAX_ROWS = 1_000
const MAX_COLUMNS = 100
const SEPARATORS = ['\t', ';', ',']

/** The head and the first rows of a CSV file. `isWhole`: the text is all of the file, and does not end within a row. */
export function readTable(text: string, isWhole: boolean): { rows: string[][]; hasMore: boolean } {
  const [first = ''] = text.split('\n', 1)
  const delimiter = SEPARATORS.toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!
  // A row that is cut in a quoted value is skipped as a fault.
  const whole = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1)
  const all: string[][] = parse(whole, {
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    to: MAX_ROWS + 2,
  })
  const hasRest = all.length > MAX_ROWS + 1
  return {
    rows: all.slice(0, MAX_ROWS + 1).map((row) => row.slice(0, MAX_COLUMNS)),
    hasMore: !isWhole || hasRest,
  }
}

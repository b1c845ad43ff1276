type Row = Record<string, unknown>

const isTerminal = () => process.stdout.isTTY === true
const dim = (text: string) => (isTerminal() && !process.env.NO_COLOR ? `\x1b[2m${text}\x1b[22m` : text)
const MAX_WIDTH = 60

export const print = (text: string) => void process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)

export const printJson = (value: unknown) => print(JSON.stringify(value, null, 2))

/** A table with a column for each name. Dotted names reach into objects. */
export function table(rows: Row[], columns: string[]): string {
  const cells = rows.map((row) => columns.map((column) => cellOf(valueAt(row, column))))
  const widths = columns.map((column, at) =>
    Math.max(titleOf(column).length, ...cells.map((line) => widthOf(line[at]!))),
  )
  const line = (values: string[]) =>
    values
      .map((value, at) => (at === values.length - 1 ? value : value + ' '.repeat(widths[at]! - widthOf(value))))
      .join('  ')
  return [dim(line(columns.map(titleOf))), ...cells.map(line)].join('\n')
}

const titleOf = (column: string) =>
  column
    .split('.')[0]!
    .replace(/^work_order_/, '')
    .replaceAll('_', ' ')
    .toUpperCase()
/** Terminals show most characters of East Asia and emoji twice as wide. */
const widthOf = (text: string) =>
  [...text].length + (text.match(WIDE)?.length ?? 0) - (text.match(/\p{Mn}/gu)?.length ?? 0)
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/gu

const valueAt = (row: Row, column: string) =>
  column.split('.').reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row)

export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  const text = (
    Array.isArray(value)
      ? value.map(cellOf).join(', ')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  )
    // Control characters in a title must not reach the terminal.
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
  const characters = [...text]
  return characters.length > MAX_WIDTH ? `${characters.slice(0, MAX_WIDTH - 1).join('')}…` : text
}

/** A table for people, JSON for programs. `hasMore` if these are only the first. */
export function show(rows: object[], columns: string[], asJson: boolean, hasMore = false): void {
  const more = `These are the first ${rows.length}. Use --limit to see more.`
  if (asJson) printJson(rows)
  else print(rows.length === 0 ? 'Nothing found.' : table(rows as Row[], columns))
  if (hasMore && asJson) note(more)
  else if (hasMore) print(`\n${dim(more)}`)
}

const noted = new Set<string>()

/** Says something beside the answer, once. */
function note(text: string): void {
  if (!noted.has(text)) process.stderr.write(`${text}\n`)
  noted.add(text)
}

/** What was done, for people in a sentence. */
export function tell(asJson: boolean, value: object, sentence: string): void {
  if (asJson) printJson(value)
  else print(sentence)
}

/** The fields of one thing, one on each line. */
export function showFields(thing: object, fields: string[]): void {
  const width = Math.max(...fields.map((field) => titleOf(field).length))
  for (const field of fields) print(`${dim(titleOf(field).padEnd(width))}  ${cellOf(valueAt(thing as Row, field))}`)
}

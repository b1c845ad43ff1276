/** A cell and its position in the row. The text is as written, without surrounding spaces. */
export interface Cell {
  text: string
  from: number
}

export type Alignment = 'left' | 'right' | 'center' | null

/** Splits a row at unescaped pipes. Ignores the first and last cell if they are empty. */
export function splitRow(row: string): Cell[] {
  const cells: Cell[] = []
  let start = 0
  for (let pos = 0; pos <= row.length; pos++) {
    if (pos < row.length && (row[pos] !== '|' || row[pos - 1] === '\\')) continue
    cells.push(cellAt(row, start, pos))
    start = pos + 1
  }
  if (cells[0]?.text === '') cells.shift()
  if (cells.at(-1)?.text === '') cells.pop()
  return cells
}

function cellAt(row: string, start: number, end: number): Cell {
  let from = start
  let to = end
  while (from < to && isBlank(row[from])) from++
  while (to > from && isBlank(row[to - 1])) to--
  return { text: row.slice(from, to), from }
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\t'
}

/** Returns the column alignments if `delimiters` is a delimiter row that matches `header`. */
export function tableAlignment(header: string, delimiters: string): Alignment[] | undefined {
  if (!/^[|:-][|:\- \t]/.test(delimiters) || /^-[ \t]/.test(delimiters)) return undefined
  if (!header.includes('|') || !/^[|:\- \t]+$/.test(delimiters)) return undefined
  const marks = splitRow(delimiters)
  if (!marks.every((mark) => /^:?-+:?$/.test(mark.text)) || marks.length === 0) return undefined
  if (splitRow(header).length !== marks.length) return undefined
  return marks.map(({ text }) => {
    const right = text.endsWith(':')
    if (text.startsWith(':')) return right ? 'center' : 'left'
    return right ? 'right' : null
  })
}

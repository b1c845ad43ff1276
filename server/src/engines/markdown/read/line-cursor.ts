/** Walks a line by columns, because a tab can belong partly to a container prefix and partly to the content. */
export interface LineCursor {
  src: string
  end: number
  pos: number
  column: number
  /** True if part of the tab at `pos` is consumed. */
  partialTab: boolean
  next: number
  nextColumn: number
  indent: number
  blank: boolean
}

export function cursorAt(src: string, from: number, to: number): LineCursor {
  const cursor = {
    src,
    end: to,
    pos: from,
    column: 0,
    partialTab: false,
    next: from,
    nextColumn: 0,
    indent: 0,
    blank: false,
  }
  findText(cursor)
  return cursor
}

export function findText(cursor: LineCursor) {
  let { pos, column } = cursor
  while (pos < cursor.end) {
    const code = cursor.src.charCodeAt(pos)
    if (code === 0x20) column++
    else if (code === 0x09) column += 4 - (column % 4)
    else break
    pos++
  }
  cursor.next = pos
  cursor.nextColumn = column
  cursor.indent = column - cursor.column
  cursor.blank = pos >= cursor.end
}

export function skipColumns(cursor: LineCursor, count: number) {
  let left = count
  while (left > 0 && cursor.pos < cursor.end) {
    if (cursor.src.charCodeAt(cursor.pos) === 0x09) {
      const width = 4 - (cursor.column % 4)
      cursor.partialTab = width > left
      cursor.column += Math.min(left, width)
      if (!cursor.partialTab) cursor.pos++
      left -= width
    } else {
      cursor.partialTab = false
      cursor.pos++
      cursor.column++
      left--
    }
  }
  findText(cursor)
}

export function skipToText(cursor: LineCursor) {
  cursor.pos = cursor.next
  cursor.column = cursor.nextColumn
  cursor.partialTab = false
  cursor.indent = 0
}

/** Advances past characters that are neither spaces nor tabs. */
export function skipMarker(cursor: LineCursor, length: number) {
  skipToText(cursor)
  cursor.pos += length
  cursor.column += length
  findText(cursor)
}

export function atSpace(cursor: LineCursor): boolean {
  if (cursor.pos >= cursor.end) return false
  const code = cursor.src.charCodeAt(cursor.pos)
  return code === 0x20 || code === 0x09
}

export function restOfLine(cursor: LineCursor): string {
  const text = cursor.src.slice(cursor.pos, cursor.end)
  return cursor.partialTab ? `${' '.repeat(4 - (cursor.column % 4))}${text.slice(1)}` : text
}

export function textOfLine(cursor: LineCursor): string {
  return cursor.src.slice(cursor.next, cursor.end)
}

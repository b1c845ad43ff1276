interface Line {
  text: string
  isChanged: boolean
}

/** Longer texts are compared from their ends only. */
const MAX_CELLS = 1_000_000

/** Marks the lines that only one of two texts has. */
export function changedLines(before: string, after: string): { before: Line[]; after: Line[] } {
  const a = before.split('\n')
  const b = after.split('\n')
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const keptA = new Set<number>()
  const keptB = new Set<number>()
  const rows = a.length - start - end
  const columns = b.length - start - end
  if (rows * columns <= MAX_CELLS) keepCommon(a.slice(start, start + rows), b.slice(start, start + columns))
  const mark = (lines: string[], kept: Set<number>) =>
    lines.map((text, index) => ({
      text,
      isChanged: index >= start && index < lines.length - end && !kept.has(index),
    }))
  return { before: mark(a, keptA), after: mark(b, keptB) }

  /** The longest common subsequence. */
  function keepCommon(left: string[], right: string[]): void {
    const table = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1))
    for (let i = left.length - 1; i >= 0; i--)
      for (let j = right.length - 1; j >= 0; j--)
        table[i]![j] = left[i] === right[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
    for (let i = 0, j = 0; i < left.length && j < right.length; ) {
      if (left[i] === right[j]) {
        keptA.add(start + i++)
        keptB.add(start + j++)
      } else if (table[i + 1]![j]! >= table[i]![j + 1]!) i++
      else j++
    }
  }
}

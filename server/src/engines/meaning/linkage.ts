/** With 0 this is average linkage, with 0.5 the cosine of the centres. Chosen with `bench/triage`. */
const WIDTH_POWER = 0.25

/**
 * Repeatedly joins the two groups that exceed `enough`, for as many pairs, the most. Returns the number of the group for
 * each of `count` items. How alike groups are is the mean similarity of their pairs, raised where the groups are wide:
 * many texts about one thing are worded in many ways, so the mean alone would never take large groups together.
 */
export function link(
  count: number,
  alike: (a: number, b: number) => number,
  enough: (pairs: number) => number,
): number[] {
  const size = new Float64Array(count).fill(1)
  /** The similarities of all pairs within a group, and between two. */
  const within = new Float64Array(count).fill(1)
  const between = new Float32Array(count * count)
  for (let a = 0; a < count; a++)
    for (let b = 0; b < a; b++) between[a * count + b] = between[b * count + a] = alike(a, b)
  const group = Array.from({ length: count }, (_, i) => i)
  const alive = new Set(group)
  const best = new Int32Array(count).fill(-1)
  const most = new Float64Array(count)
  /** The mean similarity within a group, each text with itself included: 1 for a single text. */
  const width = (row: number) => within[row]! / size[row]! ** 2
  const offer = (row: number, other: number) => {
    const pairs = size[row]! * size[other]!
    const mean = between[row * count + other]! / pairs
    const value = mean / Math.max(width(row) * width(other), 1e-3) ** WIDTH_POWER - enough(pairs)
    if (best[row]! >= 0 && value <= most[row]!) return
    best[row] = other
    most[row] = value
  }
  const look = (row: number) => {
    best[row] = -1
    for (const other of alive) if (other !== row) offer(row, other)
  }
  for (const row of alive) look(row)
  for (;;) {
    let into = -1
    for (const row of alive) if (best[row]! >= 0 && (into < 0 || most[row]! > most[into]!)) into = row
    if (into < 0 || most[into]! < 0) return group
    const gone = best[into]!
    alive.delete(gone)
    within[into]! += within[gone]! + 2 * between[into * count + gone]!
    size[into]! += size[gone]!
    for (const other of alive) {
      if (other === into) continue
      between[into * count + other]! += between[gone * count + other]!
      between[other * count + into] = between[into * count + other]!
    }
    for (let item = 0; item < count; item++) if (group[item] === gone) group[item] = into
    for (const row of alive) {
      if (row === into || best[row] === gone || best[row] === into) look(row)
      else offer(row, into)
    }
  }
}

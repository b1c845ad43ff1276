/** A symmetric matrix of the similarity of each pair of `count` items, row by row. */
export interface Likeness {
  count: number
  values: Float32Array
}

/** Averages each item with its nearest neighbours, so an unusual wording counts less than the texts it resembles. */
export function smoothed({ count, values }: Likeness, neighbours: number, weight: number): Likeness {
  const near = Array.from({ length: count }, (_, row) => nearest(values, row, count, neighbours, weight))
  const half = mixRows(values, near, count)
  const both = mixRows(transposed(half, count), near, count)
  const scale = Float32Array.from({ length: count }, (_, i) => 1 / Math.sqrt(Math.max(1e-9, both[i * count + i]!)))
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++) both[row * count + column]! *= scale[row]! * scale[column]!
  return { count, values: both }
}

interface Near {
  ids: number[]
  weights: number[]
}

function nearest(values: Float32Array, row: number, count: number, limit: number, weight: number): Near {
  const ids: number[] = []
  const at = row * count
  for (let column = 0; column < count; column++) {
    const value = values[at + column]!
    if (column === row || value <= 0 || (ids.length === limit && value <= values[at + ids[limit - 1]!]!)) continue
    let place = Math.min(ids.length, limit - 1)
    while (place > 0 && values[at + ids[place - 1]!]! < value) {
      ids[place] = ids[place - 1]!
      place--
    }
    ids[place] = column
  }
  const total = ids.reduce((sum, id) => sum + values[at + id]!, 0) || 1
  return { ids: [row, ...ids], weights: [1, ...ids.map((id) => (weight * values[at + id]!) / total)] }
}

function mixRows(values: Float32Array, near: Near[], count: number): Float32Array {
  const mixed = new Float32Array(count * count)
  for (let row = 0; row < count; row++) {
    const { ids, weights } = near[row]!
    for (let n = 0; n < ids.length; n++) {
      const from = ids[n]! * count
      const by = weights[n]!
      for (let column = 0; column < count; column++) mixed[row * count + column]! += by * values[from + column]!
    }
  }
  return mixed
}

function transposed(values: Float32Array, count: number): Float32Array {
  const turned = new Float32Array(count * count)
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++) turned[column * count + row] = values[row * count + column]!
  return turned
}

/** Repeatedly joins the two groups with the highest average similarity until none reaches `threshold`. */
export function linkByAverage({ count, values }: Likeness, sizes: readonly number[], threshold: number): number[] {
  const alike = values.slice()
  const size = Float64Array.from(sizes)
  const group = Int32Array.from({ length: count }, (_, i) => i)
  const isAlive = new Uint8Array(count).fill(1)
  const best = new Int32Array(count)
  const bestValue = new Float32Array(count)
  const look = (row: number) => {
    best[row] = -1
    bestValue[row] = Number.NEGATIVE_INFINITY
    for (let other = 0; other < count; other++)
      if (other !== row && isAlive[other] && alike[row * count + other]! > bestValue[row]!) {
        bestValue[row] = alike[row * count + other]!
        best[row] = other
      }
  }
  for (let row = 0; row < count; row++) look(row)
  for (;;) {
    let into = -1
    for (let row = 0; row < count; row++)
      if (isAlive[row] && best[row]! >= 0 && (into < 0 || bestValue[row]! > bestValue[into]!)) into = row
    if (into < 0 || bestValue[into]! < threshold) break
    const gone = best[into]!
    isAlive[gone] = 0
    const [a, b] = [size[into]!, size[gone]!]
    size[into] = a + b
    for (let other = 0; other < count; other++) {
      if (group[other] === gone) group[other] = into
      if (!isAlive[other] || other === into) continue
      const mean = (a * alike[into * count + other]! + b * alike[gone * count + other]!) / (a + b)
      alike[into * count + other] = mean
      alike[other * count + into] = mean
    }
    for (let row = 0; row < count; row++) {
      if (!isAlive[row]) continue
      if (row === into || best[row] === gone || best[row] === into) look(row)
      else if (alike[row * count + into]! > bestValue[row]!) {
        bestValue[row] = alike[row * count + into]!
        best[row] = into
      }
    }
  }
  return [...group]
}

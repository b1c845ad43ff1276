import { readFile } from 'node:fs/promises'
import { createMatrices } from './multiply.ts'
import { createPieceReader } from './pieces.ts'

interface Tensor {
  name: string
  rows: number
  columns: number
  at: number
}

interface Header {
  tensors: Tensor[]
  vocabulary: [string, number][]
}

/** The maximum input length that the model was trained on. */
const MAX_PIECES = 64
const NARROW = 256
const WIDE = 512
const INNER = 1536
const HEADS = 4
const PIECES = 'pieces'
const SCRATCH = MAX_PIECES * (NARROW + WIDE * 4 + INNER * 2)

/** Maps a short English text to a vector. Texts with the same meaning get similar vectors. */
export type Encode = (text: string) => Float32Array

/** Loads the weights (`assets/README.md` names their source). They take about 35 MB of memory. */
export async function loadEncoder(assets: URL): Promise<Encode> {
  const [bytes, code] = await Promise.all([
    readFile(new URL('sentence-encoder.bin', assets)),
    readFile(new URL('multiply.wasm', assets)),
  ])
  const headerLength = bytes.readUInt32LE(0)
  const { tensors, vocabulary } = JSON.parse(bytes.toString('utf8', 4, 4 + headerLength)) as Header
  const start = 4 + headerLength
  const floats = tensors.reduce((sum, one) => sum + one.rows * one.columns + 4, SCRATCH)
  const matrices = createMatrices(code, floats)
  const weights = new Map(tensors.map((one) => [one.name, fill(matrices.allocate(one.rows * one.columns), one)]))
  const read = createPieceReader(vocabulary)

  function fill(target: Float32Array, { name, rows, columns, at }: Tensor): Float32Array {
    if (rows === 1) {
      for (let c = 0; c < columns; c++) target[c] = bytes.readFloatLE(start + at + c * 4)
      return target
    }
    const values = new Int8Array(bytes.buffer, bytes.byteOffset + start + at + rows * 4, rows * columns)
    for (let r = 0; r < rows; r++) {
      const scale = bytes.readFloatLE(start + at + r * 4)
      for (let c = 0; c < columns; c++) {
        const to = name === PIECES ? r * columns + c : (c - (c % 8)) * rows + r * 8 + (c % 8)
        target[to] = values[r * columns + c]! * scale
      }
    }
    return target
  }

  const w = (name: string) => weights.get(name)!
  const room = (columns: number) => matrices.allocate(MAX_PIECES * columns)
  const [given, state, normed, mixed, added] = [room(NARROW), room(WIDE), room(WIDE), room(WIDE), room(WIDE)]
  const [projected, hidden] = [room(INNER), room(INNER)]

  /** Multiplies by a matrix of the model. Rows beyond `count` hold what is left of earlier texts. */
  function dense(x: Float32Array, name: string, out: Float32Array, count: number, inner: number, columns: number) {
    matrices.multiply(x, w(name), w(`${name}.bias`), out, Math.ceil(count / 4) * 4, inner, columns)
  }

  function embed(ids: number[]): void {
    const [pieces, timing] = [w(PIECES), w('timing')]
    for (let t = 0; t < ids.length; t++)
      for (let i = 0; i < NARROW; i++) {
        const angle = t * timing[i % 128]!
        given[t * NARROW + i] = 2 * pieces[ids[t]! * NARROW + i]! + (i < 128 ? Math.sin(angle) : Math.cos(angle))
      }
  }

  /** Adds the output of the attention to `state`. */
  function layer(n: 0 | 1, input: Float32Array, size: number, count: number): void {
    const add = () => {
      for (let i = 0; i < count * WIDE; i++) state[i]! += added[i]!
    }
    norm(input, `${n}.norm`, count, size)
    dense(normed, `${n}.qkv`, projected, count, size, size * 3)
    attend(projected, mixed, count, size)
    dense(mixed, `${n}.out`, added, count, size, WIDE)
    add()
    norm(state, `${n}.ffn.norm`, count, WIDE)
    dense(normed, `${n}.ffn.1`, hidden, count, WIDE, INNER)
    for (let i = 0; i < count * INNER; i++) hidden[i] = Math.max(0, hidden[i]!)
    dense(hidden, `${n}.ffn.2`, added, count, INNER, WIDE)
    add()
  }

  function norm(x: Float32Array, name: string, count: number, size: number): void {
    const [scale, bias] = [w(`${name}.scale`), w(`${name}.bias`)]
    for (let t = 0; t < count; t++) {
      const row = x.subarray(t * size, (t + 1) * size)
      const mean = row.reduce((sum, value) => sum + value, 0) / size
      const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / size
      const factor = 1 / Math.sqrt(variance + 1e-6)
      for (let i = 0; i < size; i++) normed[t * size + i] = (row[i]! - mean) * factor * scale[i]! + bias[i]!
    }
  }

  return (text) => {
    const ids = read(text).slice(0, MAX_PIECES)
    const count = ids.length
    embed(ids)
    dense(given, 'widen', state, count, NARROW, WIDE)
    layer(0, given, NARROW, count)
    layer(1, state, WIDE, count)
    const mean = normed.subarray(0, 4 * WIDE).fill(0)
    for (let at = 0; at < count * WIDE; at++) mean[at % WIDE]! += state[at]! / count
    dense(mean, 'last', added, 1, WIDE, WIDE)
    return added.slice(0, WIDE).map(Math.tanh)
  }
}

/** Multi-head self-attention. */
function attend(qkv: Float32Array, out: Float32Array, count: number, size: number): void {
  const width = size / HEADS
  const factor = 1 / Math.sqrt(width)
  const shares = new Float32Array(count)
  for (let head = 0; head < HEADS; head++)
    for (let t = 0; t < count; t++) {
      const q = t * size * 3 + head * width
      let most = Number.NEGATIVE_INFINITY
      for (let s = 0; s < count; s++) {
        const k = s * size * 3 + size + head * width
        let dot = 0
        for (let i = 0; i < width; i++) dot += qkv[q + i]! * qkv[k + i]!
        shares[s] = dot * factor
        if (shares[s]! > most) most = shares[s]!
      }
      let total = 0
      for (let s = 0; s < count; s++) {
        shares[s] = Math.exp(shares[s]! - most)
        total += shares[s]!
      }
      const at = t * size + head * width
      for (let i = 0; i < width; i++) {
        let sum = 0
        for (let s = 0; s < count; s++) sum += shares[s]! * qkv[s * size * 3 + size * 2 + head * width + i]!
        out[at + i] = sum / total
      }
    }
}

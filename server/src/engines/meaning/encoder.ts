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
const SCRATCH = MAX_PIECES * (NARROW + WIDE * 4 + INNER * 2) + 4 * WIDE

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
  const matrices = createMatrices(
    code,
    tensors.reduce((sum, one) => sum + one.rows * one.columns + 4, SCRATCH),
  )
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
  const { multiply } = matrices
  const given = matrices.allocate(MAX_PIECES * NARROW)
  const state = matrices.allocate(MAX_PIECES * WIDE)
  const normed = matrices.allocate(MAX_PIECES * WIDE)
  const mixed = matrices.allocate(MAX_PIECES * WIDE)
  const added = matrices.allocate(MAX_PIECES * WIDE)
  const projected = matrices.allocate(MAX_PIECES * INNER)
  const hidden = matrices.allocate(MAX_PIECES * INNER)
  const pooled = matrices.allocate(4 * WIDE)

  function embed(ids: number[]): void {
    const pieces = w(PIECES)
    const timing = w('timing')
    for (let t = 0; t < ids.length; t++)
      for (let i = 0; i < NARROW; i++) {
        const angle = t * timing[i % 128]!
        given[t * NARROW + i] = 2 * pieces[ids[t]! * NARROW + i]! + (i < 128 ? Math.sin(angle) : Math.cos(angle))
      }
  }

  /** Adds the output of the attention to `state`. */
  function layer(n: 0 | 1, input: Float32Array, size: number, count: number, rows: number): void {
    norm(input, normed, count, size, w(`${n}.norm.scale`), w(`${n}.norm.bias`))
    multiply(normed, w(`${n}.qkv`), w(`${n}.qkv.bias`), projected, rows, size, size * 3)
    attend(projected, mixed, count, size)
    multiply(mixed, w(`${n}.out`), w(`${n}.out.bias`), added, rows, size, WIDE)
    add(state, added, count * WIDE)
    norm(state, normed, count, WIDE, w(`${n}.ffn.norm.scale`), w(`${n}.ffn.norm.bias`))
    multiply(normed, w(`${n}.ffn.1`), w(`${n}.ffn.1.bias`), hidden, rows, WIDE, INNER)
    for (let i = 0; i < count * INNER; i++) if (hidden[i]! < 0) hidden[i] = 0
    multiply(hidden, w(`${n}.ffn.2`), w(`${n}.ffn.2.bias`), added, rows, INNER, WIDE)
    add(state, added, count * WIDE)
  }

  return (text) => {
    const ids = read(text).slice(0, MAX_PIECES)
    const count = ids.length
    const rows = Math.ceil(count / 4) * 4
    embed(ids)
    multiply(given, w('widen'), w('widen.bias'), state, rows, NARROW, WIDE)
    layer(0, given, NARROW, count, rows)
    layer(1, state, WIDE, count, rows)
    pooled.fill(0)
    for (let at = 0; at < count * WIDE; at++) pooled[at % WIDE]! += state[at]! / count
    multiply(pooled, w('last'), w('last.bias'), added, 4, WIDE, WIDE)
    return added.subarray(0, WIDE).map(Math.tanh)
  }
}

function add(to: Float32Array, what: Float32Array, count: number): void {
  for (let i = 0; i < count; i++) to[i]! += what[i]!
}

function norm(
  x: Float32Array,
  out: Float32Array,
  count: number,
  size: number,
  scale: Float32Array,
  bias: Float32Array,
) {
  for (let t = 0; t < count; t++) {
    const at = t * size
    let mean = 0
    for (let i = 0; i < size; i++) mean += x[at + i]!
    mean /= size
    let variance = 0
    for (let i = 0; i < size; i++) variance += (x[at + i]! - mean) ** 2
    const factor = 1 / Math.sqrt(variance / size + 1e-6)
    for (let i = 0; i < size; i++) out[at + i] = (x[at + i]! - mean) * factor * scale[i]! + bias[i]!
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

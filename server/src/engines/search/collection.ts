import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

/** A text to be found by its title or by the lines of its body. */
export interface Text {
  id: string
  title: string
  body: string
  /** Those with a higher rank are found first. */
  rank: number
  /** Returned with the text when it is found. */
  label: string
}

export interface Kept extends Omit<Text, 'body'> {
  places: Place[]
}

/** Where a text lies in a file. Without an owner it is a copy that is out of date. */
export interface Place {
  file: SpoolFile
  owner: Kept | undefined
  firstLine: number
  offset: number
  length: number
}

/** Texts, one after the other, each ending with a line feed. */
export interface SpoolFile {
  name: number
  holds: 'titles' | 'bodies'
  places: Place[]
  bytes: number
  lines: number
  deadBytes: number
  /** No text in it has a higher rank. */
  highestRank: number
}

const FILE_BYTES = 256 * 1024
/** A file with less that is out of date is not worth writing again. */
const WORTHWHILE_BYTES = 32 * 1024
const LINE_FEED = 0x0a
let files = 0

export type Collection = ReturnType<typeof createCollection>

/** Texts in a few files, for ripgrep to read. Whatever fails leaves it unusable: remove it then. */
export function createCollection(folder: string) {
  const kept = new Map<string, Kept>()
  const all = new Set<SpoolFile>()
  /** The files that grow, and what is still to be written to them. */
  const growing = new Map<SpoolFile['holds'], { file: SpoolFile; unwritten: Buffer[] }>()
  let bytes = 0
  const pathOf = ({ name }: SpoolFile) => path.join(folder, String(name))

  function append(holds: SpoolFile['holds'], owner: Kept, text: Buffer): void {
    if (text.length === 0) return
    let last = growing.get(holds)
    if (!last || last.file.bytes >= FILE_BYTES) {
      flush(holds)
      const file = { name: ++files, holds, places: [], bytes: 0, lines: 0, deadBytes: 0, highestRank: 0 }
      last = { file, unwritten: [] }
      growing.set(holds, last)
      all.add(file)
    }
    const { file, unwritten } = last
    const place = { file, owner, firstLine: file.lines + 1, offset: file.bytes, length: text.length }
    owner.places.push(place)
    file.places.push(place)
    unwritten.push(text)
    file.bytes += text.length
    bytes += text.length
    file.lines += countLines(text)
    file.highestRank = Math.max(file.highestRank, owner.rank)
  }

  function flush(holds: SpoolFile['holds']): void {
    const last = growing.get(holds)
    if (last && last.unwritten.length > 0)
      appendFileSync(pathOf(last.file), Buffer.concat(last.unwritten.splice(0)), { mode: 0o600 })
  }

  function forget(id: string): void {
    for (const place of kept.get(id)?.places ?? []) {
      place.owner = undefined
      place.file.deadBytes += place.length
    }
    kept.delete(id)
  }

  function discard(file: SpoolFile): void {
    all.delete(file)
    bytes -= file.bytes
    if (growing.get(file.holds)?.file === file) growing.delete(file.holds)
    rmSync(pathOf(file), { force: true })
  }

  /** Writes what is new, then moves texts out of files that are mostly out of date. */
  function tidy(): void {
    flushAll()
    for (const file of [...all])
      if (file.deadBytes === file.bytes) discard(file)
      else if (file.deadBytes > WORTHWHILE_BYTES && file.deadBytes > file.bytes / 2) moveOutOf(file)
    flushAll()
  }

  function flushAll(): void {
    flush('titles')
    flush('bodies')
  }

  function moveOutOf(file: SpoolFile): void {
    const content = read(file)
    discard(file)
    for (const place of file.places) {
      const { owner, offset, length } = place
      if (!owner) continue
      owner.places.splice(owner.places.indexOf(place), 1)
      append(file.holds, owner, content.subarray(offset, offset + length))
    }
  }

  function read(file: SpoolFile): Buffer {
    const content = readFileSync(pathOf(file))
    if (content.length !== file.bytes)
      throw new Error(`A file of the spool has ${content.length} bytes instead of ${file.bytes}.`)
    return content
  }

  return {
    size: () => kept.size,
    bytes: () => bytes,
    files: () => [...all],
    read,

    /** Replaces texts that have the same id. */
    write(texts: Text[]): void {
      for (const { body, ...text } of texts) {
        forget(text.id)
        const one: Kept = { ...text, places: [] }
        kept.set(text.id, one)
        append('titles', one, bytesOf(text.title))
        append('bodies', one, bytesOf(body))
      }
      tidy()
    },

    keepOnly(ids: Set<string>): void {
      for (const id of [...kept.keys()]) if (!ids.has(id)) forget(id)
      tidy()
    },

    remove(): void {
      for (const file of [...all]) discard(file)
      kept.clear()
    },
  }
}

/** With a final line feed, which starts no further line. An empty text has no lines. */
const bytesOf = (text: string) => Buffer.from(text === '' || text.endsWith('\n') ? text : `${text}\n`)

function countLines(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}

import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A text that can be found by its title or by the lines of its body. */
export interface Text {
  id: string
  title: string
  body: string
  /** Texts with a higher rank come first. */
  rank: number
  /** Returned with the text. The engine does not use it. */
  label: string
}

export interface StoredText extends Omit<Text, 'body'> {
  /** Undefined if the body is empty. */
  place: Place | undefined
}

/** The bytes of a body in a file. Without an owner, the body was replaced or removed. */
export interface Place {
  file: SpoolFile
  owner: StoredText | undefined
  firstLine: number
  offset: number
  length: number
}

/** A file of bodies, each of which ends with a line feed. */
export interface SpoolFile {
  name: number
  places: Place[]
  bytes: number
  lines: number
  deadBytes: number
  /** The highest rank of its texts. */
  highestRank: number
}

/** Large enough that ripgrep opens few files, small enough to stop early (`bench/search/run.mjs`). */
const FILE_BYTES = 256 * 1024
const LINE_FEED = 0x0a
let names = 0

export type Collection = ReturnType<typeof createCollection>

/** Keeps texts in a few files for ripgrep to read. After an error the collection is unusable: remove it. */
export function createCollection(folder: string) {
  const stored = new Map<string, StoredText>()
  const files = new Set<SpoolFile>()
  /** The file that new bodies are appended to, and the bodies that are not written to it yet. */
  let growing: SpoolFile | undefined
  let unwritten: Buffer[] = []
  const titles = { name: ++names, owners: [] as StoredText[] }
  const pathOf = ({ name }: { name: number }) => path.join(folder, String(name))

  function append(owner: StoredText, body: Buffer): void {
    if (body.length === 0) return
    if (!growing || growing.bytes >= FILE_BYTES) {
      flush()
      growing = { name: ++names, places: [], bytes: 0, lines: 0, deadBytes: 0, highestRank: 0 }
      files.add(growing)
    }
    owner.place = { file: growing, owner, firstLine: growing.lines + 1, offset: growing.bytes, length: body.length }
    growing.places.push(owner.place)
    growing.bytes += body.length
    growing.highestRank = Math.max(growing.highestRank, owner.rank)
    for (let at = body.indexOf(LINE_FEED); at !== -1; at = body.indexOf(LINE_FEED, at + 1)) growing.lines++
    unwritten.push(body)
  }

  function flush(): void {
    if (growing && unwritten.length > 0) appendFileSync(pathOf(growing), Buffer.concat(unwritten), { mode: 0o600 })
    unwritten = []
  }

  function forget(id: string): void {
    const place = stored.get(id)?.place
    if (place) {
      place.owner = undefined
      place.file.deadBytes += place.length
    }
    stored.delete(id)
  }

  function read(file: SpoolFile): Buffer {
    const content = readFileSync(pathOf(file))
    if (content.length !== file.bytes) throw new Error('A file of the spool was changed by somebody else.')
    return content
  }

  /** Copies the current bodies to the growing file and removes this file. */
  function compact(file: SpoolFile): void {
    const content = file.deadBytes < file.bytes ? read(file) : undefined
    files.delete(file)
    if (growing === file) growing = undefined
    for (const { owner, offset, length } of file.places)
      if (owner) append(owner, content!.subarray(offset, offset + length))
    flush()
    rmSync(pathOf(file), { force: true })
  }

  return {
    folder,
    titles,
    read,
    files: () => [...files],
    size: () => stored.size,
    bytes: () => [...files].reduce((sum, file) => sum + file.bytes, 0),

    /** Adds or replaces `texts`. With `onlyIds`, removes all texts that it does not list. */
    write(texts: Text[], onlyIds?: string[]): void {
      for (const { body, ...text } of texts) {
        forget(text.id)
        const one: StoredText = { ...text, place: undefined }
        stored.set(text.id, one)
        append(one, bytesOf(body))
      }
      const ids = onlyIds && new Set(onlyIds)
      if (ids) for (const id of [...stored.keys()]) if (!ids.has(id)) forget(id)
      flush()
      for (const file of [...files]) if (file.deadBytes > file.bytes / 2) compact(file)
    },

    /** Call it when all texts are written. */
    writeTitles(): void {
      titles.owners = []
      const parts: string[] = []
      for (const one of stored.values()) {
        parts.push(`${one.title}\n`)
        for (const _ of one.title.split('\n')) titles.owners.push(one)
      }
      writeFileSync(pathOf(titles), parts.join(''), { mode: 0o600 })
    },

    remove(): void {
      for (const one of [titles, ...files]) rmSync(pathOf(one), { force: true })
    },
  }
}

/** Ends the text with a line feed. An empty text stays empty: it has no lines. */
const bytesOf = (text: string) => Buffer.from(text === '' || text.endsWith('\n') ? text : `${text}\n`)

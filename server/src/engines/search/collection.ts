import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

export interface StoredText extends Omit<Text, 'body'> {
  /** Undefined for a text without lines. */
  place: Place | undefined
}

/** Where a body lies in a file. Without an owner it is a copy that is out of date. */
export interface Place {
  file: SpoolFile
  owner: StoredText | undefined
  firstLine: number
  offset: number
  length: number
}

/** Bodies, one after the other, each ending with a line feed. */
export interface SpoolFile {
  name: number
  places: Place[]
  bytes: number
  lines: number
  deadBytes: number
  /** No text in it has a higher rank. */
  highestRank: number
}

const FILE_BYTES = 256 * 1024
const LINE_FEED = 0x0a
let names = 0

export type Collection = ReturnType<typeof createCollection>

/** Texts in a few files, for ripgrep to read. Whatever fails leaves it unusable: remove it then. */
export function createCollection(folder: string) {
  const stored = new Map<string, StoredText>()
  const files = new Set<SpoolFile>()
  /** The file that grows, and what is still to be written to it. */
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

  /** Moves what is current to the file that grows. */
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
    titles,
    read,
    files: () => [...files],
    size: () => stored.size,
    bytes: () => [...files].reduce((sum, file) => sum + file.bytes, 0),

    /** Replaces texts that have the same id, and removes all but `onlyIds`. */
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

    /** To be called when all texts are written. */
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

/** With a final line feed, which starts no further line. An empty text has no lines. */
const bytesOf = (text: string) => Buffer.from(text === '' || text.endsWith('\n') ? text : `${text}\n`)

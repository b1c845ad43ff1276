import { closeOpen } from '../../../engines/markdown/suggestions/close.ts'
import { cut, isLongerThan } from '../../../engines/text/characters.ts'
import { isCleanText } from '../../../kernel/http/validation.ts'
import type { Note } from '../../../kernel/threads/reader-thread.ts'
import { type Archive, openArchive } from '../importing/archive.ts'
import { type Leaf, leavesOf } from './folder.ts'
import { headingOf, splitHead } from './head.ts'

const FILE_BYTES = 8_000_000
const FILE_CHARACTERS = 2_000_000
const TOO_LONG = `It has more than ${FILE_CHARACTERS} characters.`
const TITLE_CHARACTERS = 500
const PORTION_BYTES = 1_000_000
const PORTION_LEAVES = 100

export interface FolderInput {
  fd: number
  /** False if only titles and faults are wanted. */
  withText: boolean
}

export interface ReadLeaf extends Leaf {
  title: string
  text: string
  /** What its document has otherwise than the file. */
  changes: string[]
}

export type FolderPortion = { total: number } | { leaves: ReadLeaf[] }

/** Reads the documents of an archive, some at a time, after how many there are. */
export async function* readFolder({ fd, withText }: FolderInput, note: Note): AsyncGenerator<FolderPortion> {
  note('the list of files in the archive')
  const archive = await openArchive(fd)
  const leaves = leavesOf(archive.names())
  yield { total: leaves.length }
  let portion: ReadLeaf[] = []
  let bytes = 0
  for (const leaf of leaves) {
    note(`"${leaf.file ?? leaf.place}"`)
    const read = await readLeaf(archive, leaf)
    portion.push(withText ? read : { ...read, text: '' })
    if (leaf.file !== undefined && !leaf.refusal) bytes += archive.sizeOf(leaf.file)
    if (portion.length < PORTION_LEAVES && bytes < PORTION_BYTES) continue
    yield { leaves: portion }
    portion = []
    bytes = 0
  }
  if (portion.length > 0) yield { leaves: portion }
}

/** The title is in the head of the file, else its first heading, else its name. */
async function readLeaf(archive: Archive, leaf: Leaf): Promise<ReadLeaf> {
  const { file, place } = leaf
  const name =
    place
      .slice(place.lastIndexOf('/') + 1)
      .replaceAll(/[_-]+/g, ' ')
      .trim() || place
  const untold = { ...leaf, title: titled(name), text: '', changes: cutOf(name) }
  if (file === undefined || leaf.refusal) return untold
  if (archive.sizeOf(file) > FILE_BYTES) return { ...untold, refusal: `It is longer than ${FILE_BYTES} bytes.` }
  const content = (await archive.readText(file, FILE_BYTES)).replace(/^\ufeff/, '')
  const { title, text } = splitHead(content)
  const whole = title ?? headingOf(text) ?? name
  const told = { ...leaf, title: titled(whole), text, changes: cutOf(whole) }
  if (isLongerThan(text, FILE_CHARACTERS)) return { ...told, refusal: TOO_LONG }
  return isCleanText(text) ? closedLeaf(told) : { ...told, refusal: 'It has control characters, so it is no text.' }
}

/** An import closes what a file leaves open, which a write through the API may not. */
function closedLeaf(leaf: ReadLeaf): ReadLeaf {
  const { text, closed, fault } = closeOpen(leaf.text)
  if (fault) return { ...leaf, refusal: `The markdown is not valid: line ${fault.line}: ${fault.reason}` }
  if (isLongerThan(text, FILE_CHARACTERS)) return { ...leaf, refusal: TOO_LONG }
  const changes = closed.map(({ line, reason }) => `Line ${line}: ${reason} The document has an end for it.`)
  return { ...leaf, text, changes: [...leaf.changes, ...changes] }
}

const plain = (title: string) =>
  title
    .toWellFormed()
    .replaceAll(/\p{Cc}+|\s+/gu, ' ')
    .trim() || 'Untitled'
const titled = (title: string) => cut(plain(title), TITLE_CHARACTERS)
const cutOf = (title: string) =>
  isLongerThan(plain(title), TITLE_CHARACTERS) ? [`The title is cut after ${TITLE_CHARACTERS} characters.`] : []

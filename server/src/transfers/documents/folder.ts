import { cut, isLongerThan } from '../../engines/text/characters.ts'
import { isCleanText } from '../../kernel/http/validation.ts'
import type { Archive } from '../importing/archive.ts'
import { unusable } from '../importing/unusable.ts'

const MOST_FILES = 10_000
const FILE_BYTES = 8_000_000
const FILE_CHARACTERS = 2_000_000
const TITLE_CHARACTERS = 500
const MARKDOWN = /\.(md|markdown)$/i
/** What zip programs and editors add. */
const HIDDEN = /(^|\/)(\.|__MACOSX(\/|$))/
/** A file that stands for the folder it lies in. */
const INDEX = /^(index|readme|_index)$/i

/** A document to be: a file, or a folder that has none of its own. */
export interface Leaf {
  /** Without the ending. The documents below it begin with it. */
  place: string
  parent: string | null
  depth: number
  /** The file in the archive. */
  file: string | undefined
}

/** The documents of a folder, parents before children. */
export function leavesOf(archive: Archive): Leaf[] {
  const files = [...archive.names()].filter((name) => MARKDOWN.test(name) && !HIDDEN.test(name))
  if (files.length === 0) throw unusable('There is no markdown file (".md") in the archive.')
  if (files.length > MOST_FILES) throw unusable(`The archive has more than ${MOST_FILES} markdown files. Split it.`)
  const root = commonFolder(files)
  const leaves = new Map<string, Leaf>()
  const leafAt = (place: string): Leaf => {
    const slash = place.lastIndexOf('/')
    const parent = slash === -1 ? null : place.slice(0, slash)
    const leaf = leaves.get(place) ?? {
      place,
      parent,
      depth: parent === null ? 0 : leafAt(parent).depth + 1,
      file: undefined,
    }
    leaves.set(place, leaf)
    return leaf
  }
  // The file beside a folder comes before the one inside of it that stands for it.
  const isIndex = (place: string) => place.includes('/') && INDEX.test(place.slice(place.lastIndexOf('/') + 1))
  const placed = files.map((file) => ({ file, place: file.slice(root.length).replace(MARKDOWN, '') }))
  for (const { file, place } of placed.filter((one) => !isIndex(one.place))) leafAt(place).file ??= file
  for (const { file, place } of placed.filter((one) => isIndex(one.place))) {
    const folder = leafAt(place.slice(0, place.lastIndexOf('/')))
    if (folder.file === undefined) folder.file = file
    else leafAt(place).file = file
  }
  const inOrder = (one: Leaf, other: Leaf) => compare(one.place.split('/'), other.place.split('/'))
  return [...leaves.values()].sort(inOrder)
}

/** The folder that all files lie in, if there is one: it is what was packed. */
function commonFolder(files: string[]): string {
  const slash = files[0]!.indexOf('/')
  const first = files[0]!.slice(0, slash + 1)
  return slash !== -1 && files.every((file) => file.startsWith(first)) ? first : ''
}

const collator = new Intl.Collator('en', { numeric: true })

function compare(one: string[], other: string[]): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const order = collator.compare(one[at]!, other[at]!) || (one[at]! < other[at]! ? -1 : one[at]! > other[at]! ? 1 : 0)
    if (order !== 0) return order
  }
  return one.length - other.length
}

export interface Read {
  title: string
  text: string
  refusal: string | null
}

/** The title is in the head of the file, else its first heading, else its name. */
export async function readLeaf(archive: Archive, { file, place }: Leaf): Promise<Read> {
  const name =
    place
      .slice(place.lastIndexOf('/') + 1)
      .replaceAll(/[_-]+/g, ' ')
      .trim() || place
  if (file === undefined) return { title: titled(name), text: '', refusal: null }
  if (archive.sizeOf(file) > FILE_BYTES) return { title: titled(name), text: '', refusal: 'The file is too long.' }
  const content = (await archive.readText(file, FILE_BYTES)).replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  const { title, text } = splitHead(content)
  const heading = /^#[ \t]+(.+?)[ \t#]*$/m.exec(text)?.[1]
  const refusal = isLongerThan(text, FILE_CHARACTERS)
    ? `It has more than ${FILE_CHARACTERS} characters.`
    : isCleanText(text)
      ? null
      : 'It has control characters, so it is no text.'
  return { title: titled(title ?? heading ?? name), text, refusal }
}

const titled = (title: string) =>
  cut(
    title
      .toWellFormed()
      .replaceAll(/\p{Cc}+|\s+/gu, ' ')
      .trim() || 'Untitled',
    TITLE_CHARACTERS,
  )

/** Our own head is taken off. That of others stays, because it may say more than a title. */
function splitHead(content: string): { title: string | undefined; text: string } {
  const head = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(content)
  if (!head) return { title: undefined, text: content }
  const value = /^\s*title:[ \t]*(.+)$/m.exec(head[1]!)?.[1]?.trim()
  const title = value?.replace(/^(["'])(.*)\1$/, '$2').replaceAll('\\"', '"')
  return { title, text: head[1]!.startsWith('slipway:') ? content.slice(head[0].length) : content }
}

import { cut, isLongerThan } from '../../../engines/text/characters.ts'
import { unusable } from '../importing/unusable.ts'

const MOST_FILES = 10_000
/** Folders become documents too. */
const MOST_DOCUMENTS = 20_000
const MOST_FOLDERS_DEEP = 50
const PATH_CHARACTERS = 1_000
/** Of a path that is too long. */
const SHOWN_CHARACTERS = 200
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
  /** The file in the archive, or what is shown of a name that is refused. */
  file: string | undefined
  /** Why it cannot be in the tree. */
  refusal: string | null
}

/** The documents of a folder, parents before children, and then the files that cannot become one. */
export function leavesOf(names: Iterable<string>): Leaf[] {
  const files: string[] = []
  const refused: Leaf[] = []
  let found = 0
  for (const name of names) {
    if (HIDDEN.test(name) || name.endsWith('/')) continue
    const isMarkdown = MARKDOWN.test(name)
    const refusal = isMarkdown ? pathFault(name) : 'It is not a markdown file (".md").'
    const shown = cut(name, SHOWN_CHARACTERS)
    if (refusal) refused.push({ place: shown, parent: null, depth: 0, file: shown, refusal })
    else files.push(name)
    if (isMarkdown && ++found > MOST_FILES)
      throw unusable(`The archive has more than ${MOST_FILES} markdown files. Split it.`)
  }
  if (found === 0) throw unusable('There is no markdown file (".md") in the archive.')
  return [...treeOf(files), ...refused]
}

function pathFault(name: string): string | null {
  if (isLongerThan(name, PATH_CHARACTERS)) return `Its path is longer than ${PATH_CHARACTERS} characters.`
  return name.split('/').length - 1 > MOST_FOLDERS_DEEP ? `It lies more than ${MOST_FOLDERS_DEEP} folders deep.` : null
}

function treeOf(files: string[]): Leaf[] {
  const root = commonFolder(files)
  const leaves = new Map<string, Leaf>()
  const leafAt = (place: string): Leaf => {
    const known = leaves.get(place)
    if (known) return known
    if (leaves.size >= MOST_DOCUMENTS)
      throw unusable(`The archive would become more than ${MOST_DOCUMENTS} documents. Split it.`)
    const slash = place.lastIndexOf('/')
    const parent = slash === -1 ? null : place.slice(0, slash)
    const depth = parent === null ? 0 : leafAt(parent).depth + 1
    const leaf: Leaf = { place, parent, depth, file: undefined, refusal: null }
    leaves.set(place, leaf)
    return leaf
  }
  /** Files whose names differ only in their ending become two documents. */
  const put = (place: string, file: string) => {
    const leaf = leafAt(place)
    if (leaf.file === undefined) leaf.file = file
    else leafAt(file.slice(root.length)).file = file
  }
  // The file beside a folder comes before the one inside of it that stands for it.
  const isIndex = (place: string) => place.includes('/') && INDEX.test(place.slice(place.lastIndexOf('/') + 1))
  const placed = files.map((file) => ({ file, place: file.slice(root.length).replace(MARKDOWN, '') }))
  for (const { file, place } of placed.filter((one) => !isIndex(one.place))) put(place, file)
  for (const { file, place } of placed.filter((one) => isIndex(one.place))) {
    const folder = leafAt(place.slice(0, place.lastIndexOf('/')))
    if (folder.file === undefined) folder.file = file
    else put(place, file)
  }
  return [...leaves.values()]
    .map((leaf) => ({ leaf, names: leaf.place.split('/') }))
    .sort((one, other) => compare(one.names, other.names))
    .map(({ leaf }) => leaf)
}

/** The folder that all files lie in, if there is one: it is what was packed. */
function commonFolder(files: string[]): string {
  const slash = files[0]?.indexOf('/') ?? -1
  const first = files[0]?.slice(0, slash + 1) ?? ''
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

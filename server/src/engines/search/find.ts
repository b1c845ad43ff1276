import type { Collection, SpoolFile, StoredText } from './collection.ts'
import type { Query, Refusal } from './pattern.ts'
import { runRipgrep } from './ripgrep.ts'

export interface Find {
  query: Query
  /** The maximum number of texts. */
  limit: number
  contextLines: number
  /** The limit for all lines of the answer, including context lines that several matches repeat. */
  maxCharacters: number
  timeoutMs: number
  /** The ids of the texts that count. All do if it is missing. */
  within?: string[] | undefined
}

export interface Match {
  number: number
  line: string
  before: string[]
  after: string[]
}

export interface FoundText {
  id: string
  title: string
  label: string
  /** Empty if only the title matches. */
  matches: Match[]
}

type NoAnswer = { is: 'refused'; refusal: Refusal } | { is: 'too large' } | { is: 'out of time' } | { is: 'stale' }
export type Found = { is: 'found'; texts: FoundText[] } | NoAnswer

interface Hit {
  owner: StoredText
  isTitleMatch: boolean
  /** Line numbers in the body. */
  lines: number[]
}

/** Orders texts with a title match first, then by rank, highest first, then by id. */
const inOrder = (one: Hit, other: Hit) =>
  Number(other.isTitleMatch) - Number(one.isTitleMatch) ||
  other.owner.rank - one.owner.rank ||
  (one.owner.id < other.owner.id ? -1 : 1)

/**
 * Returns the matching texts in order. ripgrep reads the titles, then the files by rank, and stops when the answer is
 * certain.
 */
export async function findHits(
  { folder, titles, ...collection }: Collection,
  { query, limit, timeoutMs, within }: Pick<Find, 'query' | 'limit' | 'timeoutMs' | 'within'>,
  signal: AbortSignal,
): Promise<{ is: 'hits'; hits: Hit[] } | NoAnswer> {
  const files = collection.files().sort((one, other) => other.highestRank - one.highestRank)
  const wanted = within && new Set(within)
  const counts = (owner: StoredText) => !wanted || wanted.has(owner.id)
  const hits = new Map<StoredText, Hit>()
  const hitOf = (owner: StoredText) => {
    const hit = hits.get(owner) ?? { owner, isTitleMatch: false, lines: [] }
    hits.set(owner, hit)
    return hit
  }
  let [fileAt, placeAt, lastNeeded] = [-1, 0, -1]

  /** True if no match in the remaining files can change the answer. */
  function isDecided(): boolean {
    if (hits.size < limit || fileAt <= lastNeeded) return false
    const { highestRank } = files[fileAt]!
    let certain = 0
    for (const { owner, isTitleMatch } of hits.values()) if (isTitleMatch || owner.rank > highestRank) certain++
    return certain >= limit
  }

  function enterFile(name: number): void {
    // All titles were read, so the texts with a title match are known. Files up to the last of them may have their
    // lines.
    if (fileAt === -1) {
      const titled = new Set(
        [...hits.values()]
          .sort(inOrder)
          .slice(0, limit)
          .map(({ owner }) => owner.place?.file),
      )
      lastNeeded = files.findLastIndex((file) => titled.has(file))
    }
    do fileAt++
    while (files[fileAt]!.name !== name)
    placeAt = 0
  }

  const ended = await runRipgrep({
    query,
    folder,
    files: [titles.name, ...files.map(({ name }) => name)],
    endsAt: performance.now() + timeoutMs,
    signal,
    onLine(name, line) {
      if (name === titles.name) {
        const owner = titles.owners[line - 1]!
        if (counts(owner)) hitOf(owner).isTitleMatch = true
        return true
      }
      if (files[fileAt]?.name !== name) {
        enterFile(name)
        if (isDecided()) return false
      }
      const { places } = files[fileAt]!
      while (placeAt + 1 < places.length && places[placeAt + 1]!.firstLine <= line) placeAt++
      const { owner, firstLine } = places[placeAt]!
      if (owner && counts(owner)) hitOf(owner).lines.push(line - firstLine + 1)
      return true
    },
  })
  if (signal.aborted) return { is: 'stale' }
  if (ended.is === 'refused' || ended.is === 'out of time') return ended
  return { is: 'hits', hits: [...hits.values()].sort(inOrder).slice(0, limit) }
}

export async function findTexts(collection: Collection, find: Find, signal: AbortSignal): Promise<Found> {
  const found = await findHits(collection, find, signal)
  if (found.is !== 'hits') return found
  const contents = new Map<SpoolFile, Buffer>()
  let characters = 0
  const texts: FoundText[] = []
  for (const { owner, lines } of found.hits) {
    const matches = lines.length > 0 ? matchesOf(bodyOf(owner, collection, contents), lines, find.contextLines) : []
    for (const { line, before, after } of matches)
      for (const shown of [line, ...before, ...after]) characters += shown.length + PER_LINE
    if (characters > find.maxCharacters) return { is: 'too large' }
    texts.push({ id: owner.id, title: owner.title, label: owner.label, matches })
  }
  return { is: 'found', texts }
}

/** The overhead of a line: two quotes, a comma and memory. */
const PER_LINE = 8

function bodyOf({ place }: StoredText, collection: Collection, contents: Map<SpoolFile, Buffer>): string {
  const { file, offset, length } = place!
  const content = contents.get(file) ?? collection.read(file)
  contents.set(file, content)
  return content.toString('utf8', offset, offset + length - 1)
}

function matchesOf(body: string, numbers: number[], contextLines: number): Match[] {
  const lines = body.split('\n')
  return numbers.map((number) => ({
    number,
    line: lines[number - 1]!,
    before: lines.slice(Math.max(number - 1 - contextLines, 0), number - 1),
    after: lines.slice(number, number + contextLines),
  }))
}

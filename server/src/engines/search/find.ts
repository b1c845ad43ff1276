import type { Collection, Kept, Place, SpoolFile } from './collection.ts'
import type { Query, Refusal } from './pattern.ts'
import { type Ended, type Run, runRipgrep } from './ripgrep.ts'

export interface Find {
  query: Query
  /** How many texts at most. */
  limit: number
  contextLines: number
  /** Of all excerpts together. */
  mostCharacters: number
  forMs: number
}

/** Consecutive lines of a text. */
export interface Excerpt {
  firstLine: number
  text: string
}

export interface FoundText {
  id: string
  title: string
  label: string
  /** The numbers of the lines of the body that match. */
  lines: number[]
  /** These lines and their context; neighbours are joined. */
  excerpts: Excerpt[]
}

export type Found =
  | { is: 'found'; texts: FoundText[] }
  | { is: 'refused'; refusal: Refusal }
  | { is: 'too large' }
  | { is: 'out of time' }
  | { is: 'stale' }

interface Hit {
  isTitleMatch: boolean
  lines: number[]
}

/** Texts whose title matches come first; among them and among the others, the highest rank, then the lowest id. */
export async function findTexts(
  collection: Collection,
  folder: string,
  { query, limit, contextLines, mostCharacters, forMs }: Find,
  watch: Pick<Run, 'signal' | 'onSpent'>,
): Promise<Found> {
  const { signal } = watch
  const endsAt = performance.now() + forMs
  const hits = new Map<Kept, Hit>()
  const hitOf = (owner: Kept) => {
    const hit = hits.get(owner) ?? { isTitleMatch: false, lines: [] }
    hits.set(owner, hit)
    return hit
  }
  const files = collection.files().sort(inSearchOrder)
  let titleMatches = 0
  /** No text in a file that is still to be searched can come before the texts that are chosen. */
  const isDecided = (next: SpoolFile) =>
    next.holds === 'bodies' &&
    hits.size >= limit &&
    (titleMatches >= limit || count(hits, ([{ rank }, hit]) => hit.isTitleMatch || rank > next.highestRank) >= limit)

  const search = (some: SpoolFile[], onMatch: (place: Place, owner: Kept, line: number) => void, stopsEarly: boolean) =>
    searchFiles(some, (next) => stopsEarly && isDecided(next), onMatch, { query, folder, endsAt, ...watch })

  const first = await search(
    files,
    ({ file, firstLine }, owner, line) => {
      const hit = hitOf(owner)
      if (file.holds === 'bodies') hit.lines.push(line - firstLine + 1)
      else if (!hit.isTitleMatch) {
        hit.isTitleMatch = true
        titleMatches++
      }
    },
    true,
  )
  if (signal.aborted) return { is: 'stale' }
  if (first.ended.is === 'refused' || first.ended.is === 'out of time') return first.ended
  const chosen = [...hits].sort(inAnswerOrder).slice(0, limit)

  // The bodies of texts with a title match may lie in files that were not needed otherwise.
  const bodyOf = (owner: Kept) => owner.places.find(({ file }) => file.holds === 'bodies')
  const unread = new Set(chosen.flatMap(([owner]) => bodyOf(owner)?.file ?? []).filter((file) => !first.read.has(file)))
  if (unread.size > 0) {
    const wanted = new Set(chosen.map(([owner]) => owner))
    const onMatch = ({ firstLine }: Place, owner: Kept, line: number) => {
      if (wanted.has(owner)) hits.get(owner)!.lines.push(line - firstLine + 1)
    }
    const { ended } = await search([...unread], onMatch, false)
    if (signal.aborted) return { is: 'stale' }
    if (ended.is === 'refused' || ended.is === 'out of time') return ended
  }

  const excerptsOf = createExcerpts(collection, contextLines)
  let characters = 0
  const texts: FoundText[] = []
  for (const [owner, { lines }] of chosen) {
    const excerpts = lines.length > 0 ? excerptsOf(bodyOf(owner)!, lines) : []
    for (const { text } of excerpts) characters += text.length
    if (characters > mostCharacters) return { is: 'too large' }
    texts.push({ id: owner.id, title: owner.title, label: owner.label, lines, excerpts })
  }
  return { is: 'found', texts }
}

/** Titles first, then the files with the highest ranks. */
const inSearchOrder = (one: SpoolFile, other: SpoolFile) =>
  Number(other.holds === 'titles') - Number(one.holds === 'titles') || other.highestRank - one.highestRank

const inAnswerOrder = ([one, oneHit]: [Kept, Hit], [other, otherHit]: [Kept, Hit]) =>
  Number(otherHit.isTitleMatch) - Number(oneHit.isTitleMatch) || other.rank - one.rank || (one.id < other.id ? -1 : 1)

function count<T>(all: Iterable<T>, isCounted: (one: T) => boolean): number {
  let found = 0
  for (const one of all) if (isCounted(one)) found++
  return found
}

/** Returns how it ended, and the files that were read to their end. */
async function searchFiles(
  files: SpoolFile[],
  isEnough: (next: SpoolFile) => boolean,
  onMatch: (place: Place, owner: Kept, line: number) => void,
  run: Omit<Run, 'files' | 'onLine'>,
): Promise<{ ended: Ended; read: Set<SpoolFile> }> {
  let [fileAt, placeAt] = [-1, 0]
  const ended = await runRipgrep({
    ...run,
    files: files.map(({ name }) => name),
    onLine(name, line) {
      if (files[fileAt]?.name !== name) {
        do fileAt++
        while (files[fileAt]!.name !== name)
        placeAt = 0
        if (isEnough(files[fileAt]!)) return false
      }
      const { places } = files[fileAt]!
      while (placeAt + 1 < places.length && places[placeAt + 1]!.firstLine <= line) placeAt++
      const place = places[placeAt]!
      if (place.owner) onMatch(place, place.owner, line)
      return true
    },
  })
  return { ended, read: new Set(ended.is === 'done' ? files : files.slice(0, Math.max(fileAt, 0))) }
}

const LINE_FEED = 0x0a

function createExcerpts(collection: Collection, contextLines: number) {
  const read = new Map<SpoolFile, Buffer>()

  return function excerptsOf({ file, offset, length }: Place, lines: number[]): Excerpt[] {
    const content = read.get(file) ?? collection.read(file)
    read.set(file, content)
    const end = offset + length
    const excerpts: Excerpt[] = []
    let [line, at] = [1, offset]
    const skipTo = (wanted: number) => {
      for (; line < wanted && at < end; line++) at = content.indexOf(LINE_FEED, at) + 1
    }
    for (let next = 0; next < lines.length; ) {
      const firstLine = Math.max(lines[next]! - contextLines, 1)
      let lastLine = lines[next]! + contextLines
      for (next++; next < lines.length && lines[next]! - contextLines <= lastLine + 1; next++)
        lastLine = lines[next]! + contextLines
      skipTo(firstLine)
      const start = at
      skipTo(lastLine + 1)
      excerpts.push({ firstLine, text: content.toString('utf8', start, at - 1) })
    }
    return excerpts
  }
}

import { type Excerpt, type Found, type FoundText, type Refusal, SearchFailure } from '../engines/search/index.ts'
import type { Db } from '../kernel/database/index.ts'
import { refuseInsideTransaction } from '../kernel/database/transaction-guard.ts'
import { AppError, malformed, quoted, unavailable } from '../kernel/errors.ts'
import { createSearchTurns, OutOfTime, type Time, type TimedSearch } from '../kernel/searches/search-turns.ts'
import {
  checkSpooled,
  findSpooled,
  forgetSpooled,
  keyOf,
  loadSpool,
  type Spooled,
  searchEngine,
  updateSpool,
} from './search-spool.ts'

export interface DocumentSearch {
  projectId: string
  kind: string
  /** A regular expression of 1 to 1,000 characters. */
  query: string
  caseSensitive?: boolean
  contextLines?: number
  /** How many documents at most. */
  limit?: number
  deadlineMs?: number
}

export interface Hit {
  id: string
  title: string
  /** The tree it stands in: its type or category. */
  treeName: string
  /** Empty when only the title matches. */
  matches: Match[]
}

export interface Match {
  line_number: number
  line: string
  before_context: string[]
  after_context: string[]
}

/** Characters in one answer, with the repetitions by context. */
const MOST_CHARACTERS = 16 * 2 ** 20
/** What an empty line costs in an answer: quotes and a comma, and its place in memory. */
const PER_LINE = 8
/** How often a search begins anew because the spool lost what it had. */
const ATTEMPTS = 3

const inSearchTurn = createSearchTurns(
  'Use a word or smaller repetitions in the pattern, or try again when fewer searches run.',
)

/**
 * Documents that match in their title or in a line of their content, as ripgrep finds them in what is committed. Those
 * with a title match come first, then the most recently updated.
 */
export function searchDocuments(db: Db, search: DocumentSearch): Promise<Hit[]> {
  refuseInsideTransaction('a search')
  return inSearchTurn(
    search,
    (time) => translating(() => findHits(db, search, time)),
    () => translating(() => loadSpool(db, search)),
  )
}

async function findHits(db: Db, search: DocumentSearch, time: Time): Promise<Hit[]> {
  const { query, caseSensitive = false, contextLines = 2, limit = 50 } = search
  const find = ({ version }: Spooled) => {
    const limits = { limit, contextLines, mostCharacters: MOST_CHARACTERS, forMs: Math.max(time.leftMs(), 1) }
    return searchEngine.find({ key: keyOf(search), version, query: { pattern: query, caseSensitive }, ...limits })
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const { found, treeNames } = await findInCurrent(db, search, time, find)
      if (found.is !== 'stale') {
        const hits = textsOf(found, query).map((text) => toHit(text, treeNames[text.label]!, contextLines))
        if (sizeOf(hits) > MOST_CHARACTERS) throw answerTooLarge()
        return hits
      }
    } catch (err) {
      if (!(err instanceof SearchFailure) || attempt === ATTEMPTS) throw err
    }
    if (attempt === ATTEMPTS) throw new SearchFailure('The documents to be searched do not stay in the spool.')
    forgetSpooled(search)
  }
}

/** ripgrep starts at once, while PostgreSQL is asked whether the spool is up to date; mostly it is. */
async function findInCurrent(
  db: Db,
  scope: DocumentSearch,
  time: Time,
  find: (spooled: Spooled) => ReturnType<typeof searchEngine.find>,
): Promise<{ found: Found; treeNames: Record<string, string> }> {
  const spend = async (finding: ReturnType<typeof find>) => {
    const found = await finding
    time.spend(found.spentMs)
    return found
  }
  const before = findSpooled(scope)
  const early = before && find(before)
  early?.catch(() => undefined)
  const same = before && (await checkSpooled(db, scope, before))
  if (same) return { found: await spend(early!), treeNames: same.treeNames }
  const updated = await updateSpool(db, scope)
  return { found: await spend(find(updated)), treeNames: updated.treeNames }
}

function textsOf(found: Exclude<Found, { is: 'stale' }>, pattern: string): FoundText[] {
  switch (found.is) {
    case 'found':
      return found.texts
    case 'refused':
      throw invalidRegex(pattern, found.refusal)
    case 'too large':
      throw answerTooLarge()
    case 'out of time':
      throw new OutOfTime()
  }
}

function toHit({ id, title, lines, excerpts }: FoundText, treeName: string, contextLines: number): Hit {
  const matches: Match[] = []
  let next = 0
  for (const excerpt of excerpts) {
    const shown = excerpt.text.split('\n')
    const end = excerpt.firstLine + shown.length
    for (; next < lines.length && lines[next]! < end; next++)
      matches.push(toMatch(shown, excerpt, lines[next]!, contextLines))
  }
  return { id, title, treeName, matches }
}

function toMatch(shown: string[], { firstLine }: Excerpt, line: number, contextLines: number): Match {
  const at = line - firstLine
  return {
    line_number: line,
    line: shown[at]!,
    before_context: shown.slice(Math.max(at - contextLines, 0), at),
    after_context: shown.slice(at + 1, at + 1 + contextLines),
  }
}

function sizeOf(hits: Hit[]): number {
  let size = 0
  const add = (line: string) => {
    size += line.length + PER_LINE
  }
  for (const { matches } of hits)
    for (const { line, before_context, after_context } of matches) {
      add(line)
      before_context.forEach(add)
      after_context.forEach(add)
    }
  return size
}

/** A regular expression for texts that are no documents: the same language, by line. */
export interface Pattern {
  /** Which of the texts have a line that matches. */
  test(texts: string[]): Promise<boolean[]>
  leftMs(): number
}

export function searchTexts<T>(search: TimedSearch, run: (pattern: Pattern) => Promise<T>): Promise<T> {
  refuseInsideTransaction('a search')
  const query = { pattern: search.query, caseSensitive: false }
  return inSearchTurn(search, (time) => {
    const test = async (texts: string[]) => {
      const forMs = Math.max(time.leftMs(), 1)
      const tested = await searchEngine.test({ query, texts, forMs })
      time.spend(tested.spentMs)
      if (tested.is === 'tested') return tested.matches
      if (tested.is === 'refused') throw invalidRegex(search.query, tested.refusal)
      throw new OutOfTime()
    }
    return translating(() => run({ test, leftMs: time.leftMs }))
  })
}

async function translating<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (err) {
    if (!(err instanceof SearchFailure)) throw err
    throw unavailable('search_unavailable', `Nothing can be searched right now. ${err.message} Tell the operator.`, 5)
  }
}

const answerTooLarge = () =>
  malformed(
    'answer_too_large',
    'More text matches than fits into one answer. Use a more specific pattern, or a smaller "limit" or "context_lines".',
  )

function invalidRegex(pattern: string, { reason, from, to }: Refusal): AppError {
  const place =
    from === undefined
      ? ''
      : ` At character ${from} (${quoted([...pattern].slice(from - 1, to).join('')) || 'the end'}):`
  const detail = `${quoted(pattern)} is not a valid regular expression.${place} ${reason}. The syntax is that of ripgrep (the Rust "regex" crate).`
  return new AppError(400, 'invalid_regex', detail, {
    extra: { reason, ...(from === undefined ? {} : { position: { from, to } }) },
  })
}

import { type FoundText, type Refusal, SearchFailure } from '../../../engines/search/index.ts'
import type { Db } from '../../../kernel/database/index.ts'
import { refuseInsideTransaction } from '../../../kernel/database/transaction-guard.ts'
import { AppError, malformed, quoted, unavailable } from '../../../kernel/errors.ts'
import {
  createSearchQueue,
  type Deadline,
  SearchTimeout,
  type TimedSearch,
} from '../../../kernel/searches/search-queue.ts'
import { findInCurrent, forgetSpooled, keyOf, loadSpool, searchEngine } from './search-spool.ts'

export interface DocumentSearch {
  projectId: string
  kind: string
  /** A regular expression of 1 to 1,000 characters. */
  query: string
  caseSensitive?: boolean
  contextLines?: number
  /** The maximum number of documents. */
  limit?: number
  /** Only these documents are searched. */
  within?: string[]
  deadlineMs?: number
}

/** The limit for all lines of an answer, including context lines that several matches repeat. */
const MAX_ANSWER_CHARACTERS = 16 * 2 ** 20
/** How many times a search is tried if the spool loses the documents. */
const ATTEMPTS = 3

const runSearch = createSearchQueue(
  'Use a word or smaller repetitions in the pattern, or try again when fewer searches run.',
)

/**
 * Returns committed documents whose title or content matches, by line, as in ripgrep. Title matches come first, then
 * the most recently updated documents.
 */
export function searchDocuments(db: Db, search: DocumentSearch) {
  refuseInsideTransaction('a search')
  return runSearch(
    search,
    (deadline) => reportingFailure(() => findHits(db, search, deadline)),
    () => reportingFailure(() => loadSpool(db, search)),
  )
}

async function findHits(db: Db, search: DocumentSearch, deadline: Deadline) {
  const { query: pattern, caseSensitive = false, contextLines = 2, limit = 50, within } = search
  const query = { pattern, caseSensitive }
  const limits = { limit, within, contextLines, maxCharacters: MAX_ANSWER_CHARACTERS }
  const find = (version: string) =>
    withTimeout(deadline, (timeoutMs) =>
      searchEngine.find({ key: keyOf(search), version, query, ...limits, timeoutMs }),
    )
  for (let attempt = 1; ; attempt++) {
    try {
      const { found, treeNames } = await findInCurrent(db, search, find)
      if (found.is === 'found') return found.texts.map((text) => toHit(text, treeNames))
      if (found.is !== 'stale') throw refusalOf(found, pattern)
      if (attempt === ATTEMPTS) throw new SearchFailure('The documents to be searched do not stay in the spool.')
    } catch (err) {
      if (!(err instanceof SearchFailure) || attempt === ATTEMPTS) throw err
    }
    forgetSpooled(search)
  }
}

const toHit = ({ id, title, label, matches }: FoundText, treeNames: Record<string, string>) => ({
  id,
  title,
  /** The document type or category. */
  treeName: treeNames[label]!,
  /** Empty if only the title matches. */
  matches: matches.map(({ number, line, before, after }) => ({
    line_number: number,
    line,
    before_context: before,
    after_context: after,
  })),
})

/** A regular expression for texts other than documents, with the same syntax. */
export interface Pattern extends Deadline {
  /** Tells for each text whether one of its lines matches. */
  test(texts: string[]): Promise<boolean[]>
}

export function searchTexts<T>(search: TimedSearch, run: (pattern: Pattern) => Promise<T>): Promise<T> {
  refuseInsideTransaction('a search')
  const query = { pattern: search.query, caseSensitive: false }
  const test = async (texts: string[], deadline: Deadline) => {
    const tested = await withTimeout(deadline, (timeoutMs) => searchEngine.test({ query, texts, timeoutMs }))
    if (tested.is === 'tested') return tested.matches
    throw refusalOf(tested, search.query)
  }
  return runSearch(search, (deadline) =>
    reportingFailure(() => run({ ...deadline, test: (texts) => test(texts, deadline) })),
  )
}

async function withTimeout<T extends { is: string }>(
  deadline: Deadline,
  run: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const timeoutMs = Math.max(deadline.leftMs(), 0)
  const found = await run(timeoutMs)
  if (found.is === 'out of time') throw new SearchTimeout(timeoutMs)
  return found
}

async function reportingFailure<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (err) {
    if (!(err instanceof SearchFailure)) throw err
    throw unavailable('search_unavailable', `Nothing can be searched right now. Tell the operator: ${err.message}`, 5)
  }
}

function refusalOf(found: { is: string } | { is: 'refused'; refusal: Refusal }, pattern: string): AppError {
  if ('refusal' in found) return invalidRegex(pattern, found.refusal)
  return malformed(
    'answer_too_large',
    'More text matches than fits into one answer. Use a more specific pattern, or a smaller "limit" or "context_lines".',
  )
}

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

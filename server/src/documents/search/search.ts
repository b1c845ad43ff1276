import { type Db, errorCode, type Sql } from '../../kernel/database.ts'
import { AppError, malformed, quoted, unavailable } from '../../kernel/errors.ts'
import { ThreadCrashError, ThreadDeadlineError } from '../../kernel/threads.ts'
import { linesOf, type Match, matchesOf, sizeOfMatches } from './matches.ts'
import { type Candidate, candidatesByContent, candidatesByTitle, limitStatements } from './queries.ts'
import { signDocumentsSoon } from './signatures.ts'
import { SEARCHES_AT_ONCE, searchThreads } from './threads.ts'
import { createTurns } from './turns.ts'
import type { Plan, Query, Refusal } from './worker.ts'

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
  /** Empty when only the title matches. */
  matches: Match[]
}

/** Characters in one answer, with the repetitions by context. */
const MOST_CHARACTERS = 16 * 2 ** 20

/** "invalid regular expression": for a translated pattern it can only mean that it is too large. */
const TOO_COMPLEX_FOR_POSTGRES = '2201B'

/** One project can never keep all others from searching. */
const takeTurn = createTurns({ most: SEARCHES_AT_ONCE, mostOfAKey: SEARCHES_AT_ONCE - 1 })

/**
 * Documents that match in their title or in a line of their content, with the semantics of ripgrep. Those with a title
 * match come first, then the most recently updated.
 */
export async function searchDocuments(db: Db, search: DocumentSearch): Promise<Hit[]> {
  const { projectId, query, deadlineMs = 2_000 } = search
  const endsAt = performance.now() + deadlineMs
  const endTurn = await takeTurn(projectId, deadlineMs)
  if (!endTurn) throw tookTooLong(query, deadlineMs)

  const running = runSearch(db, search, () => endsAt - performance.now()).catch((err) => {
    throw isOutOfTime(err) ? tookTooLong(query, deadlineMs) : err
  })
  running.catch(() => undefined).finally(endTurn)
  // PostgreSQL may take a little longer to give up than the caller has to wait.
  return before(running, endsAt, () => tookTooLong(query, deadlineMs))
}

async function runSearch(db: Db, search: DocumentSearch, leftMs: () => number): Promise<Hit[]> {
  const query: Query = { pattern: search.query, caseSensitive: search.caseSensitive ?? false }
  const planned = await searchThreads.run('plan', query, { deadlineMs: leftMs() })
  if ('refusal' in planned) throw invalidRegex(search.query, planned.refusal)
  const { plan } = planned
  try {
    return await findHits(db, search, query, plan, leftMs)
  } catch (err) {
    if (errorCode(err) !== TOO_COMPLEX_FOR_POSTGRES) throw err
    return await findHits(db, search, query, { ...plan, postgresPattern: undefined }, leftMs)
  } finally {
    // Also after one that ran out of time, so that the next finds more prepared.
    if (plan.trigrams !== true && !('savepoint' in db)) signDocumentsSoon(db, search.projectId)
  }
}

async function findHits(db: Db, search: DocumentSearch, query: Query, plan: Plan, leftMs: () => number) {
  const { contextLines = 2, limit = 50 } = search
  const hits: Hit[] = []
  const titleHits = new Set<string>()
  let room = MOST_CHARACTERS

  /** Adds the hits among the candidates; says whether more are wanted. */
  async function collect(candidates: Candidate[], isWanted: (isTitleMatch: boolean, id: string) => boolean) {
    const marks = await searchThreads.run('mark', { query, documents: candidates }, { deadlineMs: leftMs() })
    for (const [at, { isTitleMatch, lineNumbers }] of marks.entries()) {
      const { id, title, content } = candidates[at]!
      if (hits.length === limit) break
      if (!(isTitleMatch || lineNumbers.length > 0) || !isWanted(isTitleMatch, id)) continue
      const lines = lineNumbers.length > 0 ? linesOf(content) : []
      room -= sizeOfMatches(lines, lineNumbers, contextLines)
      if (room < 0) throw answerTooLarge()
      hits.push({ id, title, matches: matchesOf(lines, lineNumbers, contextLines) })
      if (isTitleMatch) titleHits.add(id)
    }
    if (leftMs() <= 0) throw new ThreadDeadlineError('The search is out of time.')
    return hits.length < limit
  }

  await inSnapshot(db, async (tx) => {
    await limitStatements(tx, leftMs())
    for await (const found of candidatesByTitle(tx, search, plan))
      if (!(await collect(found, (isTitleMatch) => isTitleMatch))) return
    await limitStatements(tx, leftMs())
    for await (const found of candidatesByContent(tx, search, plan))
      if (!(await collect(found, (_, id) => !titleHits.has(id)))) return
  })
  return hits
}

/** Both looks at the documents must see the same ones. A transaction that is open already is taken as it is. */
async function inSnapshot(db: Db, run: (tx: Db) => Promise<void>): Promise<void> {
  if ('savepoint' in db) return run(db)
  await (db as Sql).begin('isolation level repeatable read read only', run)
}

async function before<T>(promise: Promise<T>, endsAt: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(endsAt - performance.now(), 0))
  })
  return Promise.race([promise, deadline]).finally(() => clearTimeout(timer))
}

/** A thread that a pattern drove out of memory would have taken all of the time as well. */
const isOutOfTime = (err: unknown) =>
  err instanceof ThreadDeadlineError || err instanceof ThreadCrashError || errorCode(err) === '57014'

const tookTooLong = (pattern: string, deadlineMs: number) =>
  unavailable(
    'search_timeout',
    `The search for ${quoted(pattern)} took longer than ${deadlineMs / 1000} s and was given up. Put a word of at least three letters into the pattern, use smaller repetitions, or try again when fewer searches run.`,
  )

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

import { type Db, errorCode, inSnapshot, isTransaction } from '../../kernel/database/index.ts'
import type { Time } from '../../kernel/searches/pace.ts'
import { limitStatements } from '../../kernel/searches/search-turns.ts'
import { linesOf, type Match, matchesOf, sizeOfMatches } from './matches.ts'
import { planOf } from './plans.ts'
import { readCandidates, type Sieve, sieveByContent, sieveByTitle, siftDocuments } from './queries.ts'
import { answerTooLarge } from './refusals.ts'
import { inSearchTurn } from './search-turn.ts'
import { signDocumentsSoon } from './signatures.ts'
import { inTime, searchThreads } from './threads.ts'
import type { Plan, Query } from './worker.ts'

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

/** Characters in one answer, with the repetitions by context. */
const MOST_CHARACTERS = 16 * 2 ** 20

/** Few, so that documents of the largest size do not fill the memory. */
const CONTENTS_AT_A_TIME = 25

/** "invalid regular expression": for a translated pattern it can only mean that it is too large. */
const TOO_COMPLEX_FOR_POSTGRES = '2201B'

/**
 * Documents that match in their title or in a line of their content, with the semantics of ripgrep. Those with a title
 * match come first, then the most recently updated.
 */
export function searchDocuments(db: Db, search: DocumentSearch): Promise<Hit[]> {
  return inSearchTurn(search, (time) => runSearch(db, search, time))
}

async function runSearch(db: Db, search: DocumentSearch, time: Time): Promise<Hit[]> {
  const query: Query = { pattern: search.query, caseSensitive: search.caseSensitive ?? false }
  const plan = await planOf(query, time)
  try {
    return await findHits(db, search, query, plan, time)
  } catch (err) {
    if (errorCode(err) !== TOO_COMPLEX_FOR_POSTGRES) throw err
    return await findHits(db, search, query, { ...plan, postgresPattern: undefined }, time)
  } finally {
    // Also after one that ran out of time, so that the next finds more prepared.
    if (plan.trigrams !== true && !isTransaction(db) && !time.pace.isHeld()) signDocumentsSoon(db, search.projectId)
  }
}

async function findHits(db: Db, search: DocumentSearch, query: Query, plan: Plan, time: Time) {
  const { contextLines = 2, limit = 50 } = search
  const hits: Hit[] = []
  const titleHits = new Set<string>()
  let room = MOST_CHARACTERS

  /** Adds the hits among the candidates. */
  async function collect(tx: Db, ids: string[], isWanted: (isTitleMatch: boolean, id: string) => boolean) {
    const candidates = await readCandidates(tx, search.projectId, ids)
    const marks = await inTime(time.leftMs(), (forMs, options) =>
      searchThreads.run('mark', { query, forMs, documents: candidates }, options),
    )
    for (const [at, { isTitleMatch, lineNumbers }] of marks.entries()) {
      const { id, title, treeName, content } = candidates[at]!
      if (hits.length === limit) break
      if (!(isTitleMatch || lineNumbers.length > 0) || !isWanted(isTitleMatch, id)) continue
      const lines = lineNumbers.length > 0 ? linesOf(content) : []
      room -= sizeOfMatches(lines, lineNumbers, contextLines)
      if (room < 0) throw answerTooLarge()
      hits.push({ id, title, treeName, matches: matchesOf(lines, lineNumbers, contextLines) })
      if (isTitleMatch) titleHits.add(id)
    }
  }

  async function sift(tx: Db, sieve: Sieve, isWanted: (isTitleMatch: boolean, id: string) => boolean) {
    await limitStatements(tx, time.leftMs())
    for await (const ids of siftDocuments(tx, sieve, time)) {
      for (let at = 0; at < ids.length && hits.length < limit; at += CONTENTS_AT_A_TIME)
        await collect(tx, ids.slice(at, at + CONTENTS_AT_A_TIME), isWanted)
      if (hits.length === limit) return
    }
  }

  // Both looks at the documents must see the same ones.
  await inSnapshot(db, async (tx) => {
    await sift(tx, sieveByTitle(search, plan), (isTitleMatch) => isTitleMatch)
    if (hits.length === limit) return
    await sift(tx, sieveByContent(search, plan), (_, id) => !titleHits.has(id))
  })
  return hits
}

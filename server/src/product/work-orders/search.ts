import type { Ctx } from '../../kernel/context.ts'
import { inSavepoint } from '../../kernel/database/index.ts'
import { invalid } from '../../kernel/errors.ts'
import { createSearchQueue, limitStatements } from '../../kernel/searches/search-queue.ts'
import { toSummary } from './queries.ts'
import { findByWords, findNumberAt } from './search-queries.ts'
import type { WorkOrderSummary } from './work-order.ts'

/** The maximum number of distinct words. Each may have to be searched for in every work order of a project. */
const MAX_WORDS = 50
/** `limit` times this many work orders are read in order before the index is used. */
const FIRST_LOOK = 25

const runSearch = createSearchQueue('Use fewer and longer words, or try again when fewer searches run.')

/** Finds work orders with every word in the title or description, ignoring case, sorted by number. */
export async function searchWorkOrders(ctx: Ctx, text: string, limit: number): Promise<WorkOrderSummary[]> {
  const { projectId } = ctx.actor
  const words = wordsOf(text)
  const rows = await runSearch({ projectId, query: text }, ({ leftMs }) =>
    inSavepoint(ctx, async ({ db }) => {
      await limitStatements(db, leftMs())
      const from = await findNumberAt(db, projectId, limit * FIRST_LOOK)
      const first = await findByWords(db, { projectId, words, limit, below: from })
      if (from === undefined || first.length === limit) return first
      await limitStatements(db, leftMs())
      return [...first, ...(await findByWords(db, { projectId, words, limit: limit - first.length, from }))]
    }),
  )
  return rows.map(toSummary)
}

/** Removes duplicates and sorts by length: the longest word is probably the rarest. */
function wordsOf(text: string): string[] {
  const words = new Map(text.split(/\s+/).map((word) => [word.toLowerCase(), word]))
  words.delete('')
  if (words.size > MAX_WORDS)
    throw invalid([
      {
        pointer: '/query',
        detail: `It has ${words.size} different words; a search takes at most ${MAX_WORDS}. Leave some out.`,
      },
    ])
  return [...words.values()].sort((one, other) => other.length - one.length)
}

import type { Ctx } from '../kernel/context.ts'
import { type Db, inSavepoint, likeSubstring, query, Values } from '../kernel/database/index.ts'
import { invalid } from '../kernel/errors.ts'
import { createSearchTurns, limitStatements } from '../kernel/searches/search-turns.ts'
import { SUMMARY_COLUMNS, type SummaryRow, toSummaries } from './queries.ts'
import type { WorkOrderSummary } from './work-order.ts'

/** Different ones. Each may have to be looked for in every work order of a project. */
const MAX_WORDS = 50
/** Times `limit`: how many work orders are read in order before the index is asked. */
const FIRST_LOOK = 25

const inSearchTurn = createSearchTurns('Use fewer and longer words, or try again when fewer searches run.')

/** Work orders that have every word in title or description, in any case; by number. */
export async function searchWorkOrders(ctx: Ctx, text: string, limit: number): Promise<WorkOrderSummary[]> {
  const { projectId } = ctx.actor
  const words = wordsOf(text)
  const rows = await inSearchTurn({ projectId, query: text }, ({ leftMs }) =>
    inSavepoint(ctx, async ({ db }) => {
      await limitStatements(db, leftMs())
      const from = await findNumberAt(db, projectId, limit * FIRST_LOOK)
      const first = await find(db, { projectId, words, limit, below: from })
      if (from === undefined || first.length === limit) return first
      await limitStatements(db, leftMs())
      return [...first, ...(await find(db, { projectId, words, limit: limit - first.length, from }))]
    }),
  )
  return toSummaries(ctx.db, projectId, rows)
}

/** Without repetitions; the longest first, as it is likely to be the rarest. */
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

export interface WordSearch {
  projectId: string
  words: string[]
  limit: number
  /** Only work orders with this number or a higher one. */
  from?: number | undefined
  /** Only work orders with a lower number. */
  below?: number | undefined
}

const find = (db: Db, search: WordSearch) => {
  const { text, values } = statementOf(search)
  return query<SummaryRow>(db, text, values)
}

/**
 * Common words fill the answer from the first work orders. Words that do not are rare, so the index finds all the rest
 * at once: left to itself, PostgreSQL guesses how common the words are, and a wrong guess reads every work order.
 */
export function statementOf({ projectId, words, limit, from, below }: WordSearch) {
  const values = new Values()
  const conditions = [
    `w.project_id = ${values.add(projectId)}`,
    from !== undefined && `w.work_order_number >= ${values.add(from)}::int`,
    below !== undefined && `w.work_order_number < ${values.add(below)}::int`,
    ...words.map((word) => `w.search_text like lower(${values.add(likeSubstring(word))}::text)`),
  ]
  const found = `select ${SUMMARY_COLUMNS} from work_orders w where ${conditions.filter(Boolean).join(' and ')}`
  const inOrder = `order by work_order_number limit ${values.add(limit)}`
  const text =
    from !== undefined && words.some(isIndexed)
      ? `with found as materialized (${found}) select * from found ${inOrder}`
      : `${found} ${inOrder}`
  return { text, values: values.all }
}

/** The index knows three letters or digits in a row. */
const isIndexed = (word: string) => /[\p{L}\p{N}]{3}/u.test(word)

/** Of the work order that comes after so many others; undefined when there are not more. */
async function findNumberAt(db: Db, projectId: string, position: number): Promise<number | undefined> {
  const [row] = await db<{ number: number }[]>`
    select work_order_number as number from work_orders where project_id = ${projectId}
    order by work_order_number offset ${position} limit 1`
  return row?.number
}

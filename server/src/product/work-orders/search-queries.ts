import { type Db, likeSubstring, query, Values } from '../../kernel/database/index.ts'
import type { WordSource } from '../../kernel/searches/word-search.ts'
import { NAMES, SUMMARY_COLUMNS, type SummaryRow } from './queries.ts'

interface WordSearch {
  projectId: string
  words: string[]
  limit: number
  /** Only work orders with this number or a higher one. */
  from?: number | undefined
  /** Only work orders with a lower number. */
  below?: number | undefined
}

export const findByWords = (db: Db, search: WordSearch) => {
  const { text, values } = statementOf(search)
  return query<SummaryRow>(db, text, values)
}

/**
 * Common words fill the answer from the first work orders. If they do not, the words are rare, and the index finds all
 * the rest at once. Left alone, PostgreSQL estimates how common the words are, and a wrong estimate reads every work
 * order.
 */
export function statementOf({ projectId, words, limit, from, below }: WordSearch) {
  const values = new Values()
  const conditions = [
    `w.project_id = ${values.add(projectId)}`,
    from !== undefined && `w.work_order_number >= ${values.add(from)}::int`,
    below !== undefined && `w.work_order_number < ${values.add(below)}::int`,
    ...words.map((word) => `w.search_text like lower(${values.add(likeSubstring(word))}::text)`),
  ]
  const found = `select ${FOUND} from work_orders w where ${conditions.filter(Boolean).join(' and ')}`
  const inOrder = `order by work_order_number limit ${values.add(limit)}`
  const first =
    from !== undefined && words.some(isIndexed)
      ? `with found as materialized (${found}) select * from found ${inOrder}`
      : `${found} ${inOrder}`
  const text = `select ${SUMMARY_COLUMNS} from (${first}) w ${NAMES} order by w.work_order_number`
  return { text, values: values.all }
}

/** Without the text, which may be long. */
const FOUND = `w.project_id, w.id, w.work_order_number, w.title, w.status, w.priority, w.type, w.description_snippet,
  w.phase_id, w.assignee_id, w.label_ids`

/** The index contains sequences of three letters or digits. */
const isIndexed = (word: string) => /[\p{L}\p{N}]{3}/u.test(word)

/** The number of the work order at a position. Undefined if there are fewer. */
export async function findNumberAt(db: Db, projectId: string, position: number): Promise<number | undefined> {
  const [row] = await db<{ number: number }[]>`
    select work_order_number as number from work_orders where project_id = ${projectId}
    order by work_order_number offset ${position} limit 1`
  return row?.number
}

/** How the search over everything looks for work orders. */
export const WORK_ORDER_WORDS: WordSource = {
  from: 'work_orders w',
  projectId: 'w.project_id',
  id: 'w.id',
  title: 'w.title',
  number: 'w.work_order_number',
  status: 'w.status',
  text: 'w.markdown_content',
  indexedText: 'w.search_text',
  newest: 'w.work_order_number desc',
}

import type { Ctx } from '../../../kernel/context.ts'
import { type Db, inSavepoint } from '../../../kernel/database/index.ts'
import { createSearchQueue, limitStatements } from '../../../kernel/searches/search-queue.ts'
import { countFeedback } from '../count-queries.ts'
import type { InboxItem } from './inbox-item.ts'
import { countInbox, type InboxFilter, type InboxPage, listInbox } from './inbox-queries.ts'

/** A word of two letters is looked for in every text. */
const DEADLINE_MS = 3_000
const runSearch = createSearchQueue('Use longer words, or filter by date.')

interface Read {
  rows: InboxItem[]
  /** How many match. Counts of filters stop at 1,000. */
  total: number
}

/** One page of reports. A search for words has a deadline, and projects take turns with it. */
export function readInbox(ctx: Ctx, filter: InboxFilter, page: Omit<InboxPage, keyof InboxFilter>): Promise<Read> {
  const { projectId } = ctx.actor
  const read = async (db: Db) => ({
    rows: await listInbox(db, projectId, { ...filter, ...page }),
    total: await totalOf(db, projectId, filter),
  })
  if (!filter.words?.length || page.ids !== undefined) return read(ctx.db)
  const search = { projectId, query: filter.words.join(' '), deadlineMs: DEADLINE_MS }
  return runSearch(search, ({ leftMs }) =>
    inSavepoint(ctx, async ({ db }) => {
      await limitStatements(db, leftMs())
      return read(db)
    }),
  )
}

/** The numbers of whole lists are kept. */
async function totalOf(db: Db, projectId: string, filter: InboxFilter): Promise<number> {
  const { status, ...others } = filter
  if (Object.values(others).some((value) => value !== undefined)) return countInbox(db, projectId, filter)
  const { items, toProcess } = await countFeedback(db, projectId)
  if (status === undefined) return items
  return status === 'to_process' ? toProcess : items - toProcess
}

import type { Db } from '../../../kernel/database/index.ts'
import { type Pattern, searchTexts } from '../../documents/index.ts'
import type { ConversationSummary } from '../conversation.ts'
import { type Listed, listConversations, type Place, searchableTexts } from '../queries.ts'

interface Search extends Listed {
  query: string
  after: Place | undefined
  limit: number
}

interface Found {
  rows: ConversationSummary[]
  /** Set when the time was over before all were looked at: where to go on. */
  stoppedAt: Place | undefined
}

/** Few at first, as those are often enough; then more, so that a search through many does not go to and fro. */
const AT_A_TIME = 100
const MOST_AT_A_TIME = 800
/** What is left then goes to the answer. */
const ENOUGH_LEFT_MS = 700

/** Conversations of which a title, something said, or a tool's name or status has a line that matches. */
export function searchConversations(db: Db, search: Search): Promise<Found> {
  return searchTexts(search, (pattern) => findMatching(db, search, pattern))
}

async function findMatching(db: Db, search: Search, pattern: Pattern): Promise<Found> {
  const { projectId, limit } = search
  const rows: ConversationSummary[] = []
  let howMany = AT_A_TIME
  for (let after = search.after; ; howMany = Math.min(howMany * 2, MOST_AT_A_TIME)) {
    const some = await listConversations(db, search, after, howMany)
    for (const one of await matchingOf(db, projectId, some, pattern)) {
      rows.push(one)
      if (rows.length === limit) return { rows, stoppedAt: undefined }
    }
    const last = some.at(-1)
    if (!last || some.length < howMany) return { rows, stoppedAt: undefined }
    after = { updatedAt: last.updatedAt, id: last.id }
    if (pattern.leftMs() < ENOUGH_LEFT_MS) return { rows, stoppedAt: after }
  }
}

async function matchingOf(
  db: Db,
  projectId: string,
  some: ConversationSummary[],
  pattern: Pattern,
): Promise<ConversationSummary[]> {
  // Without any, it still checks the expression.
  const ids = some.map(({ id }) => id)
  const texts = await searchableTexts(db, projectId, ids)
  const matches = await pattern.test(ids.map((id) => texts.get(id) ?? ''))
  return some.filter((_, at) => matches[at])
}

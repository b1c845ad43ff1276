import type { TxCtx } from '../../../kernel/context.ts'
import type { VersionAuthor } from '../document.ts'
import { insertAuthors } from './version-queries.ts'

type Credited = Pick<VersionAuthor, 'userId' | 'originType' | 'via'>

/** An agent is another author than the person it works for, and two automations of one person are two authors. */
const agentOf = ({ originType, via }: Credited) =>
  via?.automation_id ?? (originType === 'agent' || originType === 'automation' ? 'agent' : '')

/** Adds those who wrote a version together with its first author. Each is named once. */
export async function creditAuthors(
  ctx: TxCtx,
  versionId: string,
  first: Credited,
  authors: Credited[],
): Promise<void> {
  const named = authors.map(({ userId, originType, via }) => ({
    userId,
    originType,
    via,
    agent: agentOf({ userId, originType, via }),
  }))
  const others = named.filter(
    ({ userId, agent }) => userId !== null && (userId !== first.userId || agent !== agentOf(first)),
  )
  if (others.length > 0) await insertAuthors(ctx.db, ctx.actor.projectId, versionId, others)
}

import type { Ctx, Tool } from '../../../kernel/context.ts'
import { errorCode, inTransaction } from '../../../kernel/database/index.ts'
import { conflict } from '../../../kernel/errors.ts'
import { deleteKept, findKept, insertKept, KEPT_DAYS } from '../../../kernel/keeping/kept-queries.ts'
import { type Kept, keepRows, keysOfKept, restoreRows } from '../../../kernel/keeping/rows.ts'
import type { Deed } from './deed.ts'
import { decide, endDeed } from './deed-queries.ts'
import { difference, snapshot, subjectOf } from './snapshots.ts'

type Fields = Record<string, unknown>

/** What has more than this is not deleted: it could not be kept. */
const MOST_CHARACTERS = 20_000_000

const tooLargeToKeep = () =>
  conflict(
    'too_large_to_keep',
    `With all its versions and comments, this is larger than the ${MOST_CHARACTERS / 1_000_000} MB that can be brought back after a deletion, so an agent cannot delete it. A person can.`,
  )

/** Deletes something and keeps its rows, in one transaction, so that they are what was deleted. */
export function deleteAndKeep(ctx: Ctx, tool: Tool, input: Fields, deedId: string, status: Deed['status']) {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const subject = subjectOf(tool, input)
    const before = subject && (await snapshot(ctx, subject))
    const restorable = subject && before && ctx.wiring.restorable.get(subject.type)
    const ids = restorable ? await restorable.together(ctx, subject.id) : []
    const isKept = ids.length > 0
    const rows = isKept ? await keepRows(ctx.db, projectId, restorable!.root, ids, MOST_CHARACTERS) : []
    if (!rows) throw tooLargeToKeep()
    const output = await tool.run({ ...ctx, keepsBytes: isKept }, input)
    await endDeed(ctx.db, projectId, deedId, status, {
      resourceType: subject?.type ?? null,
      resourceId: subject?.id ?? null,
      ...difference(before, undefined),
    })
    if (!isKept) return output
    const storeKeys = restorable?.bytes ? keysOfKept(rows, restorable.bytes) : []
    await insertKept(ctx.db, projectId, deedId, {
      type: subject!.type,
      ids,
      rows: JSON.stringify(rows),
      before: before!,
      storeKeys,
    })
    return output
  })
}

/** Brings back what a call deleted. Returns why it cannot, or null. */
export async function restoreDeleted(ctx: Ctx, deed: Deed): Promise<string | null> {
  const { projectId, userId } = ctx.actor
  const kept = await findKept(ctx.db, projectId, deed.id)
  const restorable = kept && ctx.wiring.restorable.get(kept.type)
  if (!restorable) return `What was deleted cannot be taken back: that is possible for ${KEPT_DAYS} days.`
  for (const key of kept.storeKeys)
    if (!(await ctx.store.stat(key))) return 'What was deleted cannot be taken back: its file is gone.'
  try {
    await inTransaction(ctx, async (ctx) => {
      await restoreRows(ctx.db, JSON.parse(kept.rows) as Kept)
      await restorable.restored(ctx, kept.ids, kept.before)
      await deleteKept(ctx.db, projectId, deed.id)
      await decide(ctx.db, projectId, deed, 'undone', userId)
    })
    return null
  } catch (err) {
    if (errorCode(err) === '23505') return 'Something else has its name or its number by now.'
    if (errorCode(err) === '23503') return 'What it belonged to has been deleted since.'
    throw err
  }
}

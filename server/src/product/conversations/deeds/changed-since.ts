import type { Ctx } from '../../../kernel/context.ts'
import type { Deed } from './deed.ts'
import { listLastTouches } from './deed-queries.ts'
import { findChangedSince } from './untouched.ts'

/** What others changed of what a proposal would change, and who did last. */
export interface ChangedSince {
  now: Record<string, unknown>
  by: string | null
  at: string | null
}

/** The proposals that can only be rejected, because somebody has changed the same values since, by their ids. */
export async function describeChangedSince(ctx: Ctx, deeds: Deed[]): Promise<Map<string, ChangedSince>> {
  const found: { deed: Deed; now: ChangedSince['now'] }[] = []
  for (const deed of deeds) {
    const now = deed.status === 'proposed' ? await findChangedSince(ctx, deed, deeds) : undefined
    if (now) found.push({ deed, now })
  }
  if (found.length === 0) return new Map()
  const ids = found.map(({ deed }) => deed.resourceId!)
  const touches = new Map((await listLastTouches(ctx.db, ctx.actor.projectId, ids)).map((one) => [one.id, one]))
  return new Map(
    found.map(({ deed, now }) => {
      const touch = touches.get(deed.resourceId!)
      return [deed.id, { now, by: touch?.name ?? null, at: touch?.at ?? null }]
    }),
  )
}

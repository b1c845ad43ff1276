import type { Ctx } from '../kernel/context.ts'
import { invalid, quoted } from '../kernel/errors.ts'
import type { Integration } from './integration.ts'
import { findIntegrations, listConnected } from './queries.ts'

/** What someone has connected in this project; without a name, the one who asks. */
export function listIntegrations(ctx: Ctx, ownerId = ctx.actor.userId): Promise<Integration[]> {
  return ownerId === null ? Promise.resolve([]) : listConnected(ctx.db, ctx.actor.projectId, ownerId)
}

/** Refuses grants for what the owner has not connected. */
export async function checkGrants(
  ctx: Ctx,
  ownerId: string,
  ids: string[],
  pointer = '/integration_grants',
): Promise<void> {
  if (ids.length === 0) return
  const connected = new Set((await listConnected(ctx.db, ctx.actor.projectId, ownerId)).map(({ id }) => id))
  const errors = ids.flatMap((id, index) =>
    connected.has(id)
      ? []
      : [
          {
            pointer: `${pointer}/${index}`,
            detail: `The owner has connected no integration ${quoted(id)}. See GET /integrations.`,
          },
        ],
  )
  if (errors.length > 0) throw invalid(errors)
}

export interface Grant extends Integration {
  isConnected: boolean
}

/** What was granted, also what is no longer connected. */
export const describeGrants = (ctx: Ctx, ids: string[]): Promise<Grant[]> =>
  ids.length === 0 ? Promise.resolve([]) : findIntegrations(ctx.db, ctx.actor.projectId, ids)

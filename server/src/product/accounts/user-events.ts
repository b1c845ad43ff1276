import type { Tx } from '../../kernel/database/index.ts'
import { type OrganizationCtx, recordOrganizationEvent } from '../../kernel/organization-events.ts'
import { listOrganizationIdsOf } from './queries.ts'

/** Records the event in every organization of the user. */
export async function recordUserEvent(
  ctx: OrganizationCtx<Tx>,
  kind: string,
  userId: string,
  payload = {},
): Promise<void> {
  const organizationIds = await listOrganizationIdsOf(ctx.db, userId)
  await recordOrganizationEvent(ctx, organizationIds, { kind, subjectType: 'user', subjectId: userId, payload })
}

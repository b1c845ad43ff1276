import type { Db } from '../../kernel/database/index.ts'
import type { OrganizationCtx } from '../../kernel/organization-events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'

/** The operator acts on people and organizations without being a member. */
export const organizationOperator = <D extends Db>(db: D): OrganizationCtx<D> => ({
  db,
  requestId: uuidv7(),
  actor: { origin: 'system', userId: null },
})

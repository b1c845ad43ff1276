import type { Actor } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'

/** Webhooks send everything that happens to another place, so only admins see and change them. */
export function authorizeWebhooks(actor: Actor): void {
  if (actor.projectRole === 'admin') return
  throw forbidden('not_admin', 'Only an admin of the project may see and change its webhooks.')
}

import type { Actor } from '../kernel/context.ts'
import { forbidden } from '../kernel/errors.ts'

export const mayWrite = (actor: Actor) => actor.projectRole !== 'viewer'

export function authorizeWrite(actor: Actor): void {
  if (mayWrite(actor)) return
  throw forbidden(
    'viewer',
    'A viewer may read this project, not change it. Ask an admin of the project for the role "editor".',
  )
}

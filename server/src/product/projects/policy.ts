import type { Actor } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'

export const mayWrite = (actor: Actor) => actor.projectRole !== 'viewer'

/** Admins decide who is a member and which keys work. */
export const mayManage = (actor: Actor) => actor.projectRole === 'admin'

export function authorizeManagement(actor: Actor): void {
  if (mayManage(actor)) return
  throw forbidden('not_admin', 'Only an admin of the project may change its members and keys.')
}

/** Whoever is responsible for a project may also name it, and open another one beside it. */
export function authorizeProjects(actor: Actor): void {
  if (mayManage(actor)) return
  throw forbidden('not_admin', 'Only an admin of the project may rename it or open another one beside it.')
}

export function authorizeDeletion(actor: Actor): void {
  if (mayManage(actor)) return
  throw forbidden('not_admin', 'Only an admin of the project may delete it.')
}

/** A key acts as its owner, so only they see it. The operator may make one for anybody. */
export function authorizeNewKey(actor: Actor, ownerId: string): void {
  if (actor.origin === 'system' && mayManage(actor)) return
  authorizeWrite(actor)
  if (actor.userId !== ownerId)
    throw forbidden('not_your_key', 'A key acts as its owner, so only they can make it. Make one that acts as you.')
}

/** Anyone who may write manages their own keys, and admins those of others. */
export function authorizeKey(actor: Actor, ownerId: string): void {
  if (!mayWrite(actor) || actor.userId !== ownerId) authorizeManagement(actor)
}

export function authorizeWrite(actor: Actor): void {
  if (mayWrite(actor)) return
  throw forbidden(
    'viewer',
    'A viewer may read this project, not change it. Ask an admin of the project for the role "editor".',
  )
}

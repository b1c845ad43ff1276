import type { Actor } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { authorizeWrite } from '../projects/index.ts'
import { type Automation, type AutomationChange, presentFields } from './automation.ts'

export { authorizeWrite } from '../projects/index.ts'

/** Every member who may write can create automations. */
export function authorizeCreate(actor: Actor): void {
  authorizeWrite(actor)
  refuseBelowOwner(actor)
}

/** An automation runs with its owner's rights, which are more than those of such a key. */
function refuseBelowOwner({ isBelowOwner, projectRole }: Actor): void {
  if (!isBelowOwner) return
  throw forbidden(
    'key_below_owner',
    `This key has the role "${projectRole}", which is less than its owner's, and an automation runs with the owner's rights. Use a key with the role of its owner.`,
  )
}

type Owned = Pick<Automation, 'owner' | 'builtIn'>

/** A built-in automation belongs to the whole project, so every admin can enable and disable it. */
export const mayUpdate = (actor: Actor, { owner, builtIn }: Owned) =>
  (actor.userId !== null && owner?.id === actor.userId) ||
  actor.organizationRole === 'super_admin' ||
  (builtIn !== null && actor.projectRole === 'admin')

/** Project admins can cancel any run. */
export const mayCancel = (actor: Actor, automation: Owned) =>
  mayUpdate(actor, automation) || actor.projectRole === 'admin'

/** What acts in a project is its admins' concern, although only the owner can edit it. */
export function authorizeSwitchOff(actor: Actor, automation: Owned): void {
  if (mayCancel(actor, automation)) return
  throw notOwner(automation, 'switch it off, apart from an admin of the project')
}

export function authorizeChange(actor: Actor, automation: Owned, change: AutomationChange): void {
  const fields = (Object.keys(change) as (keyof AutomationChange)[]).filter(
    (field) => field !== 'enabled' && change[field] !== undefined,
  )
  // Checked first: nobody may change these fields, so the refusal must not point to the owner.
  if (automation.builtIn !== null && fields.length > 0) throw refuseBuiltIn(presentFields(fields))
  authorizeUpdate(actor, automation)
}

export function authorizeDelete(actor: Actor, automation: Owned): void {
  authorizeUpdate(actor, automation)
  if (automation.builtIn !== null) throw refuseBuiltIn(['delete'])
}

export function authorizeUpdate(actor: Actor, automation: Owned): void {
  if (!mayUpdate(actor, automation)) throw notOwner(automation, 'change or start it')
  refuseBelowOwner(actor)
}

export function authorizeCancel(actor: Actor, automation: Owned): void {
  if (mayCancel(actor, automation)) return
  throw notOwner(automation, 'cancel its runs')
}

const notOwner = ({ owner }: Owned, what: string) =>
  forbidden(
    'not_owner',
    `This automation belongs to ${owner ? `"${owner.name}"` : 'nobody any more'}: it runs with the owner's rights, so only the owner or a Super Admin of the organization may ${what}.`,
  )

const refuseBuiltIn = (fields: string[]) =>
  forbidden(
    'built_in',
    `This automation is built in: only "enabled" can be changed, not ${fields.map((field) => `"${field}"`).join(', ')}. Make one of your own with POST /automations.`,
  )

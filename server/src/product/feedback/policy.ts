import type { Actor, Ctx, Origin } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'

const MACHINES: readonly Origin[] = ['agent', 'automation', 'system']

/** True if a person acts, rather than an automation or the system. */
export const isPerson = (actor: Actor) => !MACHINES.includes(actor.origin)

/** Feedback triage leaves alone what a person made or touched, whatever the text it reads persuades it to try. */
export function refuseToTouch(
  { agent }: Pick<Ctx, 'agent'>,
  what: string,
  { pinnedAt }: { pinnedAt: string | null },
): void {
  if (!agent?.sparesPeople || pinnedAt === null) return
  throw forbidden('made_by_person', `A person made or changed this ${what}. Feedback triage leaves it as it is.`)
}

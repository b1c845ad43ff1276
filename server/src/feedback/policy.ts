import type { Actor, Origin } from '../kernel/context.ts'

const MACHINES: readonly Origin[] = ['agent', 'automation', 'system']

/** True if a person acts, rather than an automation or the system. */
export const isPerson = (actor: Actor) => !MACHINES.includes(actor.origin)

import type { Actor, Origin } from '../kernel/context.ts'

const MACHINES: readonly Origin[] = ['agent', 'automation', 'system']

/** Whether someone decided this, as opposed to something that works by itself. */
export const isPerson = (actor: Actor) => !MACHINES.includes(actor.origin)

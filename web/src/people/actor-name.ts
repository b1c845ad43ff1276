import type { Change } from '@slipway/sdk'
import { useAgents } from './Avatar.tsx'

/** The name of who did something, and for whom. */
export function nameActor({ type, name, on_behalf_of: owner }: Change['actor'], agents: ReadonlySet<string>) {
  // An agent that works under an account of its own is known by that account's name.
  if (type === 'agent' && owner && agents.has(owner.id)) return { name: owner.name, behalf: undefined }
  return { name, behalf: owner?.name }
}

export const useActorName = (actor: Change['actor']) => nameActor(actor, useAgents())

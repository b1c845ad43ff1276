import type { AttributedSuggestion, Change } from '@slipway/sdk'
import { useActorName } from '../people/actor-name.ts'

type Origin = AttributedSuggestion['origin']

/** Who made something, as suggestions, comments and versions say it. */
export interface Authored {
  /** The person, or the account that an agent works under. */
  name: string
  id: string | null
  /** The door it came through. */
  origin: Origin
  via?: AttributedSuggestion['created_via']
}

const NOBODY: Change['actor'] = { type: 'system', id: null, name: 'Slipway', on_behalf_of: null }

/** An agent and an automation are the authors of what they make. A key and a client belong to whoever uses them. */
export function actorOf({ name, id, origin, via }: Authored): Change['actor'] {
  const owner = name ? { id: id ?? '', name } : null
  if (via) return { type: 'automation', id: via.automation_id, name: via.automation_name, on_behalf_of: owner }
  if (origin === 'automation') return { type: 'automation', id: null, name: 'Automation', on_behalf_of: owner }
  if (origin === 'agent') return { type: 'agent', id: null, name: 'Agent', on_behalf_of: owner }
  return owner ? { type: 'person', ...owner, on_behalf_of: null } : NOBODY
}

const DOORS: Partial<Record<NonNullable<Origin>, string>> = { external_api: 'over the API', mcp: 'over MCP' }

export const doorOf = ({ origin }: Authored) => (origin ? DOORS[origin] : undefined)

/** What to show of an author: the mark, the name, and for whom or through which door it was. */
export function useAuthor(by: Authored): { actor: Change['actor']; name: string; aside: string | undefined } {
  const actor = actorOf(by)
  const { name, behalf } = useActorName(actor)
  return { actor, name, aside: behalf ? `for ${behalf}` : doorOf(by) }
}

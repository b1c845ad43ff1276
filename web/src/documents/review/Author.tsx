import type { AttributedSuggestion } from '@slipway/sdk'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { ActorMark } from '../../ui/ActorMark.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { membersQuery } from '../../work-orders/api.ts'

type Origin = AttributedSuggestion['origin']

const TYPES = { external_api: 'key', mcp: 'key', agent: 'agent', automation: 'automation', system: 'system' } as const

/** Through which door something came, for what did not come from the web. */
export const DOORS: Record<NonNullable<Origin>, string | undefined> = {
  user: undefined,
  external_api: 'Over the API',
  mcp: 'Over MCP',
  agent: 'By an agent',
  automation: 'By an automation',
  system: 'By Slipway',
}

/** The mark of an author: round for a person, square for a key, an agent or an automation. */
export function AuthorMark({ name, origin = null }: { name: string; origin?: Origin }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const person = useQuery(membersQuery(project.id)).data?.find((one) => one.name === name)
  if (origin && origin !== 'user' && !person) {
    const actor = { type: TYPES[origin], id: null, name, on_behalf_of: null }
    return <ActorMark actor={actor as never} />
  }
  return <Avatar person={person ?? { id: name, name, email: '' }} size={20} />
}

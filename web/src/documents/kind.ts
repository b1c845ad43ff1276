import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'

export type Kind = 'requirements' | 'blueprints'

interface Words {
  title: string
  one: string
  /** As events and live documents name it. */
  resource: 'requirements_document' | 'blueprint'
}

export const KINDS: Record<Kind, Words> = {
  requirements: { title: 'Requirements', one: 'requirement', resource: 'requirements_document' },
  blueprints: { title: 'Blueprints', one: 'blueprint', resource: 'blueprint' },
}

/** What all kinds can do has the same form for each. */
type Shared = Omit<ReturnType<typeof api.requirements>, 'create' | 'move' | 'list' | 'search'>

export function documentsOf(projectId: string, kind: Kind): Shared {
  const call = callOf(projectId)
  return kind === 'requirements' ? api.requirements(call) : (api.blueprints(call) as unknown as Shared)
}

export const GROUP_TITLES: Record<string, string> = { OVERVIEW: 'Overview', FEATURE: 'Features' }
export const groupTitle = (name: string) => GROUP_TITLES[name] ?? name

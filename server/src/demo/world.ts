import type { Link, ResourceType } from '../product/links/index.ts'
import type { Project } from '../product/projects/index.ts'
import type { Cast, Deps } from './cast.ts'
import type { Story } from './story.ts'

/** What every part of the demo works with. */
export interface World {
  deps: Deps
  project: Project
  story: Story
  cast: Cast
  ids: Ids
}

/** The ids of what the story has made so far, by the names that the content uses: "work order 38". */
export interface Ids {
  set(name: string, id: string): void
  get(name: string): string
  link(name: string): Link
}

const TYPES: Record<string, ResourceType> = {
  requirement: 'requirements_document',
  blueprint: 'blueprint',
  'work order': 'work_order',
  theme: 'theme',
  feedback: 'feedback_item',
  artifact: 'artifact',
}

export function createIds(): Ids {
  const known = new Map<string, string>()
  const get = (name: string) => {
    const id = known.get(name)
    if (!id) throw new Error(`The demo refers to "${name}" before it exists.`)
    return id
  }
  return {
    get,
    set: (name, id) => void known.set(name, id),
    link(name) {
      const kind = Object.keys(TYPES).find((one) => name.startsWith(`${one} `))
      if (!kind) throw new Error(`The demo cannot connect "${name}".`)
      return { resourceType: TYPES[kind]!, resourceId: get(name) }
    },
  }
}

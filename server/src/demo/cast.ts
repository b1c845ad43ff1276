import type { Actor, AgentScope, Ctx, Origin, ProjectRole } from '../kernel/context.ts'
import type { Sql } from '../kernel/database/index.ts'
import type { JobDeps } from '../kernel/slice.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { addUser, listUsers, organizationOperator, type User } from '../product/accounts/index.ts'
import { findMemberActor, type Project } from '../product/projects/index.ts'

export interface Deps extends JobDeps {
  db: Sql
}

export interface Person {
  /** What the content calls them. */
  name: string
  fullName: string
  email: string
  role: ProjectRole
}

export const PEOPLE: Person[] = [
  { name: 'Ada', fullName: 'Ada Lovelace', email: 'ada@harbor.example', role: 'admin' },
  { name: 'Grace', fullName: 'Grace Hopper', email: 'grace@harbor.example', role: 'admin' },
  { name: 'Katherine', fullName: 'Katherine Johnson', email: 'katherine@harbor.example', role: 'editor' },
  { name: 'Radia', fullName: 'Radia Perlman', email: 'radia@harbor.example', role: 'editor' },
  { name: 'Barbara', fullName: 'Barbara Liskov', email: 'barbara@harbor.example', role: 'editor' },
]

/** The account that coding agents work under, so that work can be assigned to them. It cannot sign in. */
export const BUILD_AGENT: Person = {
  name: 'Build agent',
  fullName: 'Build agent',
  email: 'build-agent@harbor.example',
  role: 'editor',
}

/** Everyone else whom the content names as an author: they act through a key or a client. */
const THROUGH: Record<string, { person: string; origin: Origin; key?: string }> = {
  'shop-ci': { person: 'Katherine', origin: 'external_api', key: 'shop-ci' },
  'Claude Code': { person: 'Radia', origin: 'mcp' },
  'Web shop': { person: 'Ada', origin: 'external_api', key: 'Web shop' },
  'iOS app': { person: 'Katherine', origin: 'external_api', key: 'iOS app' },
  'Support desk': { person: 'Grace', origin: 'external_api', key: 'Support desk' },
}

const UNBOUND = {
  toolKit: {},
  integrationIds: [],
  integrationTools: {},
  depth: 0,
  payerIds: [],
  sparesPeople: false,
  proposes: false,
  needsApproval: false,
}

export interface Cast {
  user(name: string): User
  /** The context in which someone acts: a person, an agent, or a person through a key. */
  as(name: string): Promise<Ctx>
  /** The context in which an automation acts for its owner. The run is the cause of what it changes. */
  asAutomation(owner: string, via: NonNullable<AgentScope['via']>): Promise<Ctx>
  keys: Map<string, string>
}

/** Adds the people who are not there yet. `admin` takes Ada's part. */
export async function addPeople(
  deps: Deps,
  organizationId: string,
  { admin, password, isFirst }: { admin: User | undefined; password: string; isFirst: boolean },
): Promise<{ all: Map<string, User>; added: Set<string> }> {
  const known = new Map((await listUsers(deps.db)).map((user) => [user.email, user]))
  const added = new Set<string>()
  const findOrAdd = async (person: Person): Promise<[string, User]> => {
    const { name, fullName, email } = person
    const there = name === 'Ada' && admin ? admin : known.get(email)
    if (there) return [name, there]
    added.add(name)
    const role = isFirst && name === 'Ada' ? ('super_admin' as const) : ('member' as const)
    const account = { email, name: fullName, organizationId, role }
    const operator = organizationOperator(deps.db)
    return [name, await addUser(operator, person === BUILD_AGENT ? account : { ...account, password })]
  }
  // Together, because hashing a password takes a while.
  const all = new Map(await Promise.all([...PEOPLE, BUILD_AGENT].map(findOrAdd)))
  return { all, added }
}

export function createCast(deps: Deps, project: Project, users: Map<string, User>): Cast {
  const keys = new Map<string, string>()
  const user = (name: string) => {
    const found = users.get(name)
    if (!found) throw new Error(`Nobody in the demo is called "${name}".`)
    return found
  }
  const actors = new Map<string, Actor>()
  const actorOf = async (name: string, origin: Origin): Promise<Actor> => {
    const key = `${name} ${origin}`
    const actor = actors.get(key) ?? (await findMemberActor(deps.db, project.id, user(name).id, origin))
    if (!actor) throw new Error(`${name} is not a member of the demo.`)
    actors.set(key, actor)
    return actor
  }
  const ctxOf = async (name: string, origin: Origin, keyId: string | null, requestId = uuidv7()): Promise<Ctx> => {
    const actor = await actorOf(name, origin)
    return { ...deps, actor: { ...actor, keyId }, requestId, baseUrl: '', ifMatch: undefined }
  }
  return {
    user,
    keys,
    as(name) {
      const through = THROUGH[name]
      if (through) return ctxOf(through.person, through.origin, through.key ? keys.get(through.key)! : null)
      return ctxOf(name, name === BUILD_AGENT.name ? 'agent' : 'user', null)
    },
    async asAutomation(owner, via) {
      const ctx = await ctxOf(owner, 'automation', null, via.runId)
      return { ...ctx, agent: { ...UNBOUND, chainId: via.runId, via } }
    },
  }
}

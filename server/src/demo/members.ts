import { addIntegration } from '../product/integrations/index.ts'
import { addKey, addMember, type KeyKind, operatorCtx, revokeKey } from '../product/projects/index.ts'
import { BUILD_AGENT, PEOPLE } from './cast.ts'
import type { World } from './world.ts'

const BEGUN = 'Aug 17 09:00'
const DAY_MS = 86_400_000

interface Key {
  name: string
  kind: KeyKind
  by: string
  at: string
  /** Relative to now. */
  expiresInDays?: number
  origins?: string[]
  revoked?: string
}

const KEYS: Key[] = [
  { name: 'Old laptop', kind: 'external', by: 'Katherine', at: 'Aug 18 10:20', revoked: 'Nov 3 09:12' },
  { name: 'Migration script', kind: 'external', by: 'Grace', at: 'Aug 20 14:00', expiresInDays: -14 },
  {
    name: 'Old plug-in',
    kind: 'reporting',
    by: 'Grace',
    at: 'Aug 17 11:00',
    origins: ['https://old.harbor.example'],
    revoked: 'Aug 23 16:40',
  },
  { name: 'Web shop', kind: 'reporting', by: 'Ada', at: 'Aug 21 09:10', origins: ['https://shop.harbor.example'] },
  { name: 'iOS app', kind: 'reporting', by: 'Katherine', at: 'Aug 21 09:40' },
  { name: 'Support desk', kind: 'reporting', by: 'Grace', at: 'Aug 21 15:25' },
  { name: 'shop-ci', kind: 'external', by: 'Katherine', at: 'Sep 1 08:30' },
  { name: 'Wall board', kind: 'external', by: 'Katherine', at: 'Sep 8 11:15' },
  { name: 'CI pipeline', kind: 'external', by: 'Grace', at: 'Sep 21 13:50', expiresInDays: 5 },
  { name: 'Coding agents', kind: 'external', by: 'Ada', at: 'Sep 14 10:05', expiresInDays: 60 },
  { name: 'Release bot', kind: 'external', by: 'Ada', at: 'Nov 15 22:31', expiresInDays: 90 },
]

/** The key that the summary shows, for a first request. */
export const SHOWN_KEY = 'Coding agents'

export interface Shown {
  key: string
}

/** Members, keys and integrations. */
export function planMembers(world: World, shown: Shown): void {
  const { story, cast, deps, project } = world
  const [admin, ...others] = PEOPLE
  story.plan(BEGUN, async () => {
    await addMember(operatorCtx(deps, project), cast.user(admin!.name).id, admin!.role)
  })
  for (const person of [...others, BUILD_AGENT])
    story.plan(person.name === 'Barbara' ? 'Nov 13 10:05' : BEGUN, async () => {
      await addMember(await cast.as(admin!.name), cast.user(person.name).id, person.role)
    })
  for (const key of KEYS) planKey(world, key, shown)
  const servers = [
    ['GitHub', 'https://github.mcp.harbor.example/mcp', 'Sep 14 09:30'],
    ['Sentry', 'https://sentry.mcp.harbor.example/mcp', 'Oct 5 16:10'],
  ]
  for (const [displayName, url, at] of servers)
    story.plan(at!, async () => {
      const owner = cast.user('Ada').id
      const added = await addIntegration(await cast.as('Ada'), owner, { displayName: displayName!, url })
      world.ids.set(`integration ${displayName}`, added.id)
    })
}

function planKey({ story, cast }: World, wanted: Key, shown: Shown): void {
  const { name, kind, by, at, expiresInDays, origins, revoked } = wanted
  story.plan(at, async () => {
    const expiresAt =
      expiresInDays === undefined ? undefined : new Date(Date.now() + expiresInDays * DAY_MS).toISOString()
    const key = await addKey(await cast.as(by), {
      kind,
      userId: cast.user(by).id,
      name,
      ...(expiresAt && { expiresAt }),
      ...(origins && { allowedOrigins: origins }),
    })
    cast.keys.set(name, key.id)
    if (name === SHOWN_KEY) shown.key = key.key
  })
  if (revoked) story.plan(revoked, async () => revokeKey(await cast.as('Ada'), cast.keys.get(name)!))
}

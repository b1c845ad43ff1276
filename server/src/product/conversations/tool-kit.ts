import { type Static, Type } from 'typebox'
import { Kind, named, OneOf } from '../../kernel/http/schema.ts'
import type { Tool } from '../../kernel/slice.ts'

export const TOOL_DOMAINS = [
  'requirements',
  'blueprints',
  'work_orders',
  'feedback',
  'artifacts',
  'automations',
] as const
export const RESTRICTIONS = ['cannot_view', 'cannot_create', 'cannot_edit', 'cannot_delete'] as const

export type ToolDomain = (typeof TOOL_DOMAINS)[number]
export type Restriction = (typeof RESTRICTIONS)[number]

/** What an agent must not do, by domain. An empty kit forbids nothing. */
export type ToolKit = Partial<Record<ToolDomain, Restriction[]>>

const Override = Type.Object({
  domain: OneOf(TOOL_DOMAINS),
  restriction: OneOf(RESTRICTIONS, { examples: ['cannot_create'] }),
})
const overrides = { permission_overrides: Type.Array(Override, { maxItems: 100 }) }

/** The shape in a request. */
export const ToolKitBody = named('NewAutomationToolKit', Type.Object(overrides))
/** The shape in an answer. */
export const ToolKitShape = named(
  'AutomationToolKit',
  Type.Object({ object: Kind('automation_tool_kit'), ...overrides }),
)

export function toToolKit({ permission_overrides }: Static<typeof ToolKitBody>): ToolKit {
  const kit: ToolKit = {}
  for (const { domain, restriction } of permission_overrides) {
    const known = kit[domain] ?? []
    if (!known.includes(restriction)) kit[domain] = [...known, restriction]
  }
  return kit
}

export const presentToolKit = (kit: ToolKit) => ({
  object: 'automation_tool_kit' as const,
  permission_overrides: TOOL_DOMAINS.flatMap((domain) =>
    (kit[domain] ?? []).map((restriction) => ({ domain, restriction })),
  ),
})

const forbids = (kit: ToolKit, domain: ToolDomain, restriction: Restriction) =>
  (kit[domain]?.includes(restriction) || kit[domain]?.includes('cannot_view')) ?? false

/** True if `kit` allows something that `other` forbids. */
export const isWiderKit = (kit: ToolKit, other: ToolKit) =>
  TOOL_DOMAINS.some((domain) => RESTRICTIONS.some((one) => forbids(other, domain, one) && !forbids(kit, domain, one)))

/** Forbids what either of the two forbids. */
export const narrowKit = (kit: ToolKit, other: ToolKit): ToolKit =>
  toToolKit({
    permission_overrides: [kit, other].flatMap((one) => presentToolKit(one).permission_overrides),
  })

/** An agent that must not view a domain must not change it either. */
export function isOffered(tool: Pick<Tool, 'domain' | 'kind' | 'alsoViews'>, kit: ToolKit): boolean {
  const restricts = (domain: string, restriction: Restriction) =>
    kit[domain as ToolDomain]?.includes(restriction) ?? false
  const touched = [tool.domain, ...(tool.alsoViews ?? [])]
  return !touched.some((domain) => restricts(domain, 'cannot_view')) && !restricts(tool.domain, `cannot_${tool.kind}`)
}

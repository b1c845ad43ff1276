import type { Deed } from './deed.ts'

type Fields = Record<string, unknown>

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** The proposals that an input names, wherever it does. */
export function referredIn(input: Fields, proposals: Deed[]): string[] {
  const named = new Set((JSON.stringify(input).match(UUID) ?? []).map((id) => id.toLowerCase()))
  return proposals.filter(({ id }) => named.has(id)).map(({ id }) => id)
}

/** The input with the things that proposals have made in their place. */
export function resolved(input: Fields, bases: Deed[]): Fields {
  const made = new Map(bases.map(({ id, resourceId }) => [id, resourceId!]))
  return JSON.parse(JSON.stringify(input).replace(UUID, (id) => made.get(id.toLowerCase()) ?? id))
}

/** Those that refer to a proposal, and those that refer to them. */
export function dependentsOf(deed: Deed, all: Deed[]): Deed[] {
  const gone = new Set([deed.id])
  return all.filter((one) => {
    if (!one.dependsOn.some((id) => gone.has(id))) return false
    gone.add(one.id)
    return one.status === 'proposed'
  })
}

import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../../kernel/context.ts'
import type { Deed } from './deed.ts'
import { snapshot } from './snapshots.ts'

type Fields = Record<string, unknown>

/** Those that follow from other fields, or change when somebody looks after a thing. */
const DERIVED = new Set(['version_number', 'description_snippet', 'edited_by_person', 'connectedContext'])

/** True if what it became is still there. */
export const isUntouched = (after: Fields | null, now: Fields) =>
  Object.entries(after ?? {}).every(
    ([key, value]) =>
      DERIVED.has(key) ||
      now[key] === undefined ||
      isDeepStrictEqual(comparable(key, now[key]), comparable(key, value)),
  )

/** Ids of triggers and their next times change by themselves. */
function comparable(key: string, value: unknown): unknown {
  if (key === 'triggers')
    return (value as Fields[]).map(({ trigger_type, config, filter }) => ({ trigger_type, config, filter }))
  return key === 'integration_grants' ? (value as Fields[]).map(({ id, tools }) => ({ id, tools })) : value
}

/** True if others have changed what a proposal would change. */
export const isStale = async (ctx: Ctx, deed: Deed, all: Deed[]) =>
  (await findChangedSince(ctx, deed, all)) !== undefined

/**
 * What others have changed of what a proposal would change, as it is now. Undefined if it is as it was. What was accepted of
 * the same run is no such change.
 */
export async function findChangedSince(
  ctx: Ctx,
  { before, resourceType: type, resourceId: id }: Deed,
  all: Deed[],
): Promise<Fields | undefined> {
  if (before === null || type === null || id === null) return undefined
  const now = await snapshot(ctx, { type, id })
  if (!now) return undefined
  const own = all.filter((one) => one.status === 'accepted' && one.resourceId === id)
  const known: Fields = Object.assign({}, before, ...own.map(({ after }) => after))
  // The text of a document is in its version.
  const isText = 'markdown_content' in before && 'version_id' in known
  const keys = Object.keys(before).filter((key) => !(isText && key === 'markdown_content'))
  const expected = [...keys, ...(isText ? ['version_id'] : [])].map((key) => [key, known[key]])
  if (isUntouched(Object.fromEntries(expected), now)) return undefined
  return Object.fromEntries(Object.keys(before).map((key) => [key, now[key]]))
}

import type { ArtifactOutcome } from '@slipway/sdk'
import { countOf } from '../lib/numbers.ts'
import { showToast } from '../lib/toasts.ts'
import type { Row } from './artifact.ts'

/** What a write needs to know of a row. */
export type Named = Pick<Row, 'id' | 'name' | 'parent_id'>

/** As many as the server takes at once. */
export const MOST_AT_ONCE = 200

export const namesOf = (items: { name: string }[]) =>
  items.length === 1 ? `“${items[0]!.name}”` : countOf(items.length, 'item')

/** Those that were not refused. */
export function doneOf<T extends Pick<Row, 'id' | 'name'>>(items: T[], outcomes: ArtifactOutcome[]): T[] {
  const refused = new Set(outcomes.filter(({ refusal }) => refusal !== null).map(({ id }) => id))
  return items.filter(({ id }) => !refused.has(id))
}

const MAX_NAMES = 3

/** Says by name which were refused, and why the first of them was. */
export function sayRefused(items: Pick<Row, 'id' | 'name'>[], outcomes: ArtifactOutcome[], what: string): void {
  const reasons = new Map(outcomes.flatMap(({ id, refusal }) => (refusal === null ? [] : [[id, refusal] as const])))
  const refused = items.filter(({ id }) => reasons.has(id))
  if (refused.length === 0) return
  const names = refused.slice(0, MAX_NAMES).map(({ name }) => `“${name}”`)
  const rest = refused.length - names.length
  const list = new Intl.ListFormat('en').format(rest > 0 ? [...names, `${rest} more`] : names)
  const text = `${list} ${refused.length === 1 ? 'was' : 'were'} ${what}`
  showToast({ text, detail: reasons.get(refused[0]!.id)!, tone: 'error' })
}

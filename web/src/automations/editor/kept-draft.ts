import { dropDraft, findDraft, keepDraft } from '../../lib/drafts.ts'
import { isSame, type Values } from './draft.ts'

/** A draft on this device: what was begun, and what it was based on. */
interface Kept {
  base: Values
  values: Values
}

export function keptDraft(name: string): Kept | undefined {
  const text = findDraft(name)?.text
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Kept)
  } catch {
    return undefined
  }
}

export function keep(name: string, base: Values, values: Values): void {
  if (isSame(base, values)) dropDraft(name)
  else keepDraft(name, JSON.stringify({ base, values } satisfies Kept))
}

import { dropDraft, findDraft, keepDraft } from '../../lib/drafts.ts'
import { type Draft, isSame } from './draft.ts'

export function keptDraft(name: string): Draft | undefined {
  const text = findDraft(name)?.text
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Draft)
  } catch {
    return undefined
  }
}

/** Keeps it on this device. */
export function keep(name: string, draft: Draft): void {
  if (isSame(draft.base, draft.values)) dropDraft(name)
  else keepDraft(name, JSON.stringify(draft))
}

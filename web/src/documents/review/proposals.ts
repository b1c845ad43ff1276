import type { Suggestion } from '@slipway/sdk'

/** One thing to decide: a replacement is recorded as a deletion and the insertion after it. */
export interface Proposal {
  id: string
  changeIds: string[]
  deleted: string
  inserted: string
  by: string
  at: string
}

export function proposalsOf(suggestions: Suggestion[]): Proposal[] {
  const proposals: Proposal[] = []
  for (const { id, kind, text, created_at: at, created_by_name: by } of suggestions) {
    const last = proposals.at(-1)
    if (kind === 'insertion' && last && last.inserted === '' && last.at === at && last.by === by) {
      last.inserted = text
      last.changeIds.push(id)
    } else
      proposals.push({
        id,
        changeIds: [id],
        deleted: kind === 'deletion' ? text : '',
        inserted: kind === 'insertion' ? text : '',
        by,
        at,
      })
  }
  return proposals
}

import type { AttributedSuggestion } from '@slipway/sdk'
import type { TrackedRun } from '../../editor/suggesting/tracked-runs.ts'
import type { Authored } from '../author.ts'

/** One thing to decide: a replacement is a deletion and the insertion after it. */
export interface Proposal {
  id: string
  changeIds: string[]
  deleted: string
  inserted: string
  /** The name of the author. */
  by: string
  author: Authored
  at: string
  isMine: boolean
  /** Where it stands in the text. */
  from: number
}

/** What it is about in the text. */
export function rangeOf({ from, deleted, inserted }: Proposal, size: number): { from: number; to: number } {
  return { from, to: Math.min(size, from + Math.max(1, (deleted + inserted).length)) }
}

type Known = Pick<Proposal, 'by' | 'author' | 'at' | 'isMine'>

/**
 * Joins what the text shows with what the server knows about it. The text is always ahead: `describe` says what is known
 * about a suggestion that the server has not listed yet.
 */
export function proposalsOf(
  runs: TrackedRun[],
  suggestions: AttributedSuggestion[],
  describe: (id: string, listed: AttributedSuggestion | undefined) => Known,
): Proposal[] {
  const listed = new Map(suggestions.map((one) => [one.id, one]))
  const named = nameRuns(runs, suggestions)
  const proposals: Proposal[] = []
  let before: TrackedRun | undefined
  for (const run of named) {
    const { id, kind, text, from } = run
    const known = describe(id, listed.get(id))
    const last = proposals.at(-1)
    const same = proposals.find((one) => one.changeIds.includes(id))
    const touches = before && (before.to === from || before.from === from)
    const isNext = last && touches && last.by === known.by
    if (same) {
      if (kind === 'insertion') same.inserted += text
      else same.deleted += text
    } else if (isNext && kind === 'insertion' && last.inserted === '') {
      last.inserted = text
      last.changeIds.push(id)
    } else
      proposals.push({
        id,
        changeIds: [id],
        deleted: kind === 'deletion' ? text : '',
        inserted: kind === 'insertion' ? text : '',
        from,
        ...known,
      })
    before = run
  }
  return proposals
}

/**
 * Suggestions in blocks that are shown as markdown have no mark with an id. They are told by what they say, and new words
 * that someone types on by the old ones before them.
 */
export function nameRuns(runs: TrackedRun[], suggestions: AttributedSuggestion[]): (TrackedRun & { id: string })[] {
  const marked = new Set(runs.map(({ id }) => id))
  const rest = new Set(suggestions.filter(({ id }) => !marked.has(id)))
  let before: { from: number; listed: AttributedSuggestion } | undefined
  return runs.flatMap((run) => {
    if (run.id) return [{ ...run, id: run.id }]
    const next = before?.from === run.from ? suggestions[suggestions.indexOf(before.listed) + 1] : undefined
    const listed =
      [...rest].find(({ kind, text }) => kind === run.kind && text === run.text) ??
      (run.kind === 'insertion' && next?.kind === 'insertion' && rest.has(next) ? next : undefined)
    if (!listed) return []
    rest.delete(listed)
    before = { from: run.from, listed }
    return [{ ...run, id: listed.id }]
  })
}

import { acceptedView, carryOver, findChanges, rejectedView } from '../../engines/markdown/suggestions/changes.ts'
import { type Settling, settleChanges } from '../../engines/markdown/suggestions/settle.ts'
import { applySuggestion } from '../../engines/markdown/suggestions/suggestions.ts'
import { findFault } from '../../engines/markdown/suggestions/validate.ts'
import type { SuggestionView } from './document.ts'
import { type Comparison, unifiedDiff } from './versions/unified-diff.ts'

/**
 * The tasks that read a whole document. They run on the main thread for small documents and in a worker thread for
 * large ones.
 */
export const fault = ({ source, fromStored }: { source: string; fromStored: boolean }) =>
  findFault(source, { fromStored })

export const view = ({ source, show }: { source: string; show: SuggestionView }) =>
  show === 'inline' ? source : show === 'accepted' ? acceptedView(source) : rejectedView(source)

interface Known {
  id: string
  kind: 'insertion' | 'deletion'
  text: string
}

/** A change in a text, and the id that it has if it was there before. */
export interface FoundChange extends Pick<Known, 'kind' | 'text'> {
  knownId: string | undefined
}

interface Replacement {
  source: string
  oldText: string
  newText: string
  replaceAll: boolean
  /** The changes that are pending in the source, in order. */
  previous: Known[]
}

/** Also checks the result and finds its changes, so that a long text travels to the thread once. */
export function suggestion({ source, oldText, newText, replaceAll, previous }: Replacement) {
  const result = applySuggestion(source, oldText, newText, { replaceAll })
  if (result.outcome !== 'applied') return result
  const fresh = new Set(result.changes.map(({ from }) => from))
  const known = previous.values()
  const found = findChanges(result.source).map(({ kind, text, from }): FoundChange => {
    const knownId = fresh.has(from) ? undefined : (known.next().value as Known | undefined)?.id
    return { kind, text, knownId }
  })
  return {
    outcome: result.outcome,
    source: result.source,
    found,
    fault: fault({ source: result.source, fromStored: true }),
  }
}

export const changes = ({ source, previous }: { source: string; previous: Known[] }) =>
  carryOver(previous, source).map(({ kind, text, known }): FoundChange => ({ kind, text, knownId: known?.id }))

export const difference = (comparison: Comparison) => unifiedDiff(comparison)

export function settled(settling: Settling) {
  const result = settleChanges(settling)
  return result.outcome === 'changed'
    ? result
    : { ...result, fault: fault({ source: result.source, fromStored: true }) }
}

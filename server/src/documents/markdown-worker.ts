import { acceptedView, carryOver, findChanges, rejectedView } from '../engines/markdown/suggestions/changes.ts'
import { type Settling, settleChanges } from '../engines/markdown/suggestions/settle.ts'
import { applySuggestion } from '../engines/markdown/suggestions/suggestions.ts'
import { findFault } from '../engines/markdown/suggestions/validate.ts'
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

interface Replacement {
  source: string
  oldText: string
  newText: string
  replaceAll: boolean
}

export const suggestion = ({ source, oldText, newText, replaceAll }: Replacement) =>
  applySuggestion(source, oldText, newText, { replaceAll })

interface Known {
  id: string
  kind: 'insertion' | 'deletion'
  text: string
}

interface Carried {
  source: string
  previous: Known[]
  /** Offsets at which new changes begin. If given, all other changes are the previous ones, in the same order. */
  freshAt?: number[]
}

export function changes({ source, previous, freshAt }: Carried) {
  if (!freshAt) return carryOver(previous, source).map(({ kind, text, known }) => ({ kind, text, knownId: known?.id }))
  const fresh = new Set(freshAt)
  const known = previous.values()
  return findChanges(source).map(({ kind, text, from }) => ({
    kind,
    text,
    knownId: fresh.has(from) ? undefined : (known.next().value as Known | undefined)?.id,
  }))
}

export const difference = (comparison: Comparison) => unifiedDiff(comparison)

export const settled = (settling: Settling) => settleChanges(settling)

import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Change } from '../editor/comparing/compare.ts'
import type { HistoryEntry } from './entry.ts'
import type { TextQuery } from './subject.ts'
import { writerOf } from './writer-of.ts'

/** More versions than these are not read to tell who wrote what. */
export const MAX_BETWEEN = 40

/**
 * Which version brought each change between two versions: for a block that is there now, the one since which it stands
 * there as it is; for a block that is gone, the first one without it. Undefined while the versions are loading.
 */
export function useWriters(
  textQuery: TextQuery,
  between: HistoryEntry[],
  newest: HistoryEntry | undefined,
  changes: Change[] | undefined,
): (HistoryEntry | undefined)[] | undefined {
  const asked = between.length > 1 && between.length <= MAX_BETWEEN ? between : []
  const texts = useQueries({
    queries: asked.map((version) => textQuery(version.version_id, version === newest)),
    combine: (answers) =>
      answers.every(({ data }) => data !== undefined) ? answers.map(({ data }) => data!) : undefined,
  })
  return useMemo(() => {
    if (!changes || between.length === 0 || between.length > MAX_BETWEEN) return undefined
    // Whatever differs between a version and the next one was written by the next one.
    if (between.length === 1) return changes.map(() => between[0])
    if (!texts) return undefined
    const ascending = between.map((version, at) => ({ version, text: texts[at]! })).toReversed()
    return changes.map((change) => (change.type === 'same' ? undefined : writerOf(change, ascending)))
  }, [changes, between, texts])
}

import type { Change } from '../editor/comparing/compare.ts'
import type { HistoryEntry } from './entry.ts'

interface Read {
  version: HistoryEntry
  text: string
}

export function writerOf(
  { oldSource, freshSource }: Pick<Change & { type: 'changed' }, 'oldSource' | 'freshSource'>,
  ascending: Read[],
): HistoryEntry | undefined {
  if (freshSource === undefined) return ascending.find(({ text }) => !has(text, oldSource ?? ''))?.version
  const without = ascending.findLastIndex(({ text }) => !has(text, freshSource))
  return ascending[without + 1]?.version
}

/** True if the text has these lines, as a whole. */
const has = (text: string, lines: string) => `\n${text}\n`.includes(`\n${lines}\n`)

import { type ChangeObject, diffArrays, diffLines, diffWordsWithSpace } from 'diff'

/** Texts that have little in common take long to compare, so a comparison ends after this time. */
const LONGEST_MS = 500

/** When a comparison that begins now must have ended. Pass it on if one comparison leads to many. */
export const soonest = () => Date.now() + LONGEST_MS

/** One text instead of the other. */
const replaced = <T extends string | string[]>(old: T, fresh: T, count: (part: T) => number): ChangeObject<T>[] =>
  [
    { value: old, removed: true, added: false, count: count(old) },
    { value: fresh, removed: false, added: true, count: count(fresh) },
  ].filter(({ value }) => value.length > 0)

/** What two lists have in common, or nothing if that cannot be found out in time. The same for lines and words. */
export const compareLists = (old: string[], fresh: string[], until = soonest()): ChangeObject<string[]>[] =>
  diffArrays(old, fresh, { timeout: until - Date.now() }) ?? replaced(old, fresh, ({ length }) => length)

export const compareLines = (old: string, fresh: string, until = soonest()): ChangeObject<string>[] =>
  diffLines(old, fresh, { timeout: until - Date.now() }) ??
  replaced(old, fresh, (text) => text.split('\n').length - Number(text.endsWith('\n')))

export const compareWords = (old: string, fresh: string, until = soonest()): ChangeObject<string>[] =>
  diffWordsWithSpace(old, fresh, { timeout: until - Date.now() }) ?? replaced(old, fresh, () => 1)

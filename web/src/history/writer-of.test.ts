import { expect, test } from 'vitest'
import type { HistoryEntry } from './entry.ts'
import { writerOf } from './writer-of.ts'

const version = (version_number: number, text: string) => ({ version: { version_number } as HistoryEntry, text })
const VERSIONS = [version(2, 'One\n\nTwo\n'), version(3, 'One\n\nThree\n'), version(4, 'One\n\nThree\n\nFour\n')]

test('a block is attributed to the version since which it stands there, and a lost one to the first without it', () => {
  expect(writerOf({ oldSource: 'Two', freshSource: 'Three' }, VERSIONS)?.version_number).toBe(3)
  expect(writerOf({ oldSource: undefined, freshSource: 'Four' }, VERSIONS)?.version_number).toBe(4)
  expect(writerOf({ oldSource: undefined, freshSource: 'One' }, VERSIONS)?.version_number).toBe(2)
  expect(writerOf({ oldSource: 'Two', freshSource: undefined }, VERSIONS)?.version_number).toBe(3)
})

test('words that are part of a longer line are not that line', () => {
  const versions = [version(2, 'One more\n'), version(3, 'One\n')]
  expect(writerOf({ oldSource: undefined, freshSource: 'One' }, versions)?.version_number).toBe(3)
})

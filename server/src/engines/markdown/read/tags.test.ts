import { expect, test } from 'vitest'
import { findFault, parseMarkdown } from '../index.ts'

test.each([
  ['inline', 'Text <a'],
  ['at the beginning of a block', '<a'],
])('a tag with many values that have no-break spaces is read in linear time: %s', (_where, start) => {
  const source = `${start}${' a=b\u00a0c'.repeat(5_000)}"\n`
  expect(findFault(source)).toBeUndefined()
  expect(parseMarkdown(source)).toBeDefined()
})

import { expect, test } from 'vitest'
import { listNames } from './list-names.ts'

test('up to three names are listed, and the rest is counted', () => {
  expect(listNames(['Ada'])).toBe('Ada')
  expect(listNames(['Ada', 'Grace'])).toBe('Ada and Grace')
  expect(listNames(['Ada', 'Grace', 'Lin'])).toBe('Ada, Grace and Lin')
  expect(listNames(['Ada', 'Grace', 'Lin', 'Mary'])).toBe('Ada, Grace and 2 more')
})

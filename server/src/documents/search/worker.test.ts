import { describe, expect, it } from 'vitest'
import { mark, test } from './worker.ts'

const query = { pattern: 'two', caseSensitive: true }
const content = 'one\ntwo\n'

describe('looking through texts', () => {
  it('is done within its time', () => {
    const found = [{ isTitleMatch: false, lineNumbers: [2] }]
    expect(mark({ query, forMs: 10_000, documents: [{ title: 'One', content }] })).toEqual(found)
    expect(test({ query, forMs: 10_000, texts: [content, 'one'] })).toEqual([true, false])
  })

  it('is given up, without an error, when its time is over', () => {
    expect(mark({ query, forMs: -1, documents: [{ title: 'One', content }] })).toBeUndefined()
    expect(test({ query, forMs: -1, texts: [content] })).toBeUndefined()
  })

  it('is given up in the middle of a text that takes too long', () => {
    const long = { title: 'Long', content: 'two\n'.repeat(500_000) }
    expect(mark({ query, forMs: 5, documents: [long] })).toBeUndefined()
  })
})

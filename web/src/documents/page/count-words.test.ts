import { expect, test } from 'vitest'
import { countWords } from './count-words.ts'

test.each([
  ['', 0],
  ['One two,  three\nfour!', 4],
  ['It’s a well-known fact: 3.5 is more than 3', 9],
  ['Größe naïve Ελλάδα', 3],
  ['— … *', 0],
])('%j has %i words', (text, count) => expect(countWords(text)).toBe(count))

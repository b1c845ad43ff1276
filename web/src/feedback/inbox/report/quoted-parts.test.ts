import { expect, test } from 'vitest'
import { partsOf, withoutTitle } from './quoted-parts.ts'

const shown = (text: string, ...excerpts: string[]) =>
  partsOf(text, excerpts)
    .map((one) => (one.isQuoted ? `[${one.text}]` : one.text))
    .join('')

test('marks every excerpt where it stands, and nothing that is not there', () => {
  expect(shown('I paid twice. It was late.', 'It was late.', 'I paid twice.')).toBe('[I paid twice.] [It was late.]')
  expect(shown('I paid twice.', 'I paid thrice.', '')).toBe('I paid twice.')
})

test('keeps every character where excerpts overlap', () => {
  expect(shown('abcdef', 'abcd', 'cdef')).toBe('[abcd][ef]')
  expect(shown('abcdef', 'abcdef', 'cd')).toBe('[abcdef]')
})

test('leaves out the first line if the title says it in full', () => {
  expect(withoutTitle('Paid twice\n\nTwo e-mails came.', 'Paid twice')).toBe('Two e-mails came.')
  expect(withoutTitle('Paid twice', 'Paid twice')).toBe('')
  expect(withoutTitle('A long line that was cut', 'A long line…')).toBe('A long line that was cut')
})

import { expect, test } from 'vitest'
import { blocksOf } from '../markdown.ts'
import { schema } from '../schema.ts'
import { addressBefore } from './typed-addresses.ts'

const before = (...text: Parameters<typeof schema.text>[]) => {
  const doc = schema.nodes.doc.create(null, [
    schema.nodes.paragraph.create(
      null,
      text.map((one) => schema.text(...one)),
    ),
  ])
  return addressBefore(doc.resolve(doc.content.size - 1))
}

test.each([
  ['see https://example.org/a_b?c=d', 'https://example.org/a_b?c=d', 'https://example.org/a_b?c=d'],
  ['(www.example.org).', 'www.example.org', 'http://www.example.org'],
  ['http://example.org/x!', 'http://example.org/x', 'http://example.org/x'],
])('%j ends with an address, without the punctuation around it', (text, address, href) => {
  const found = before([text])
  expect(found).toMatchObject({ text: address, from: 1 + text.indexOf(address) })
  expect(found!.link.attrs).toMatchObject({ href, style: 'literal' })
})

test.each([
  'https://',
  'http://localhost',
  'javascript:alert(1)',
  'me@example.org',
  'https://a.org b',
  'https://a.org/*b*',
])('%j does not end with an address that markdown reads as a link', (text) => expect(before([text])).toBeUndefined())

test('an address in code or in a link stays as it is', () => {
  expect(before(['https://example.org', [schema.marks.code.create()]])).toBeUndefined()
  expect(before(['https://example.org', [schema.marks.link.create({ href: '/x' })]])).toBeUndefined()
  expect(blocksOf('https://example.org')[0]!.firstChild!.marks).toHaveLength(1)
})

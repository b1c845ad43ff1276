import { expect, test } from 'vitest'
import { bestOf, flatten, quotesIn } from './find-quote.ts'
import { schema } from './schema.ts'

const docOf = (...paragraphs: string[]) =>
  schema.nodes.doc.create(
    null,
    paragraphs.map((text) => schema.nodes.paragraph.create(null, schema.text(text))),
  )
const found = (doc: ReturnType<typeof docOf>, quote: string, prefix: string, suffix: string) => {
  const anchor = { quote, prefix, suffix, position: null }
  const place = bestOf(quotesIn(flatten(doc), anchor), anchor)
  return place && [doc.textBetween(place.from, place.to), doc.resolve(place.from).index(0)]
}

test('a passage is found where it stood, among equal words', () => {
  const doc = docOf('The order is paid.', 'The order page shows it.')
  expect(found(doc, 'order', 'The ', ' page shows')).toEqual(['order', 1])
})

test('a word whose sentence is gone is not taken for a part of another word, or for the same word elsewhere', () => {
  const doc = docOf('This covers paid orders.', 'No order is lost.')
  expect(found(doc, 'order', 'The ', ' page shows every step')).toBeUndefined()
})

test('a passage keeps its place when one side of it is rewritten', () => {
  expect(found(docOf('Now the order page shows all.'), 'order', 'Once the ', ' page shows every')).toEqual(['order', 0])
})

test('a long passage is found by its words alone', () => {
  const quote = 'A refund goes back to the account behind the card.'
  expect(found(docOf('First.', quote), quote, 'Then. ', ' Last.')).toEqual([quote, 1])
})

test('without anything around it, the words are enough', () => {
  expect(found(docOf('The last four digits.'), 'four digits', '', '')).toEqual(['four digits', 0])
})

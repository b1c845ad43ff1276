import { describe, expect, it } from 'vitest'
import { priorityOf, typeOf } from './cues.ts'
import { excerptFrom, joinedReason, titleFrom, wordsFor } from './wording.ts'

describe('typeOf', () => {
  it.each([
    ['The app crashes when I open it', 'bug'],
    ['My refund has not arrived', 'bug'],
    ['search is really slow with many records', 'performance'],
    ['Please add a dark mode', 'feature_request'],
    ['permission settings are confusing', 'improvement'],
    ['How do I export my data?', 'question'],
    ['I love it', 'other'],
  ])('%s: %s', (text, type) => {
    expect(typeOf(text)).toBe(type)
  })
})

describe('priorityOf', () => {
  it.each([
    ['My card was stolen', 'other', 'urgent'],
    ['The app crashes when I open it', 'bug', 'high'],
    ['The total is wrong', 'bug', 'medium'],
    ['A dark theme would be nice', 'feature_request', 'low'],
  ] as const)('%s: %s', (text, type, priority) => {
    expect(priorityOf(text, type)).toBe(priority)
  })
})

describe('titleFrom', () => {
  it.each([
    ['please add a dark mode', 'Add a dark mode'],
    ['Hi team, my refund has not arrived, thanks!', 'My refund has not arrived'],
    ['How do I export my data??', 'How do I export my data?'],
    ['???', '???'],
    ['日本語のテキスト', '日本語のテキスト'],
  ])('%s → %s', (sentence, title) => {
    expect(titleFrom(sentence)).toBe(title)
  })

  it('is short, and cut at the end of a word', () => {
    const title = titleFrom(`the export is ${'really '.repeat(30)}empty`)
    expect(title).toMatch(/^The export is .*really…$/)
    expect(title.length).toBeLessThanOrEqual(70)
  })
})

describe('excerptFrom', () => {
  const rarity = (term: string) => (term.length > 4 ? 1 : 0.1)

  it('is the sentence that matters', () => {
    const text = 'Hello, I hope you are well. The export crashes with large invoices. Best wishes, Ada'
    expect(excerptFrom(text, rarity)).toBe('The export crashes with large invoices.')
  })

  it('has no marks of markdown and is not longer than a quote', () => {
    expect(excerptFrom('## \n- The export is empty', rarity)).toBe('The export is empty')
    expect([...excerptFrom('🙂word '.repeat(200), rarity)].length).toBeLessThanOrEqual(280)
  })

  it('is the text where there is no sentence', () => {
    expect(excerptFrom(' 123 ', rarity)).toBe('123')
  })
})

it('a reason names the words as the customer wrote them', () => {
  const shared = wordsFor(['card', 'order'], 'I ordered two cards')
  const about = { item: 'FB-3', theme: 'TH-12', title: 'Where is my card?', shared, score: 0.614 }
  expect(joinedReason(about)).toBe(
    'FB-3 shares *cards*, *ordered* with TH-12 "Where is my card?", and means much the same. Score 0.61.',
  )
})

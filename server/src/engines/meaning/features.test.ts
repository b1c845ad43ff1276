import { beforeAll, describe, expect, it } from 'vitest'
import { TriageMemory } from '../../feedback/triage/memory.ts'
import { readPrior } from './background.ts'
import { type FeatureReader, loadFeatureReader, MEANING } from './features.ts'
import { rarityIn } from './word-vectors.ts'

let reader: FeatureReader
let prior: Float32Array
beforeAll(async () => {
  reader = await loadFeatureReader(new URL('../../../assets/', import.meta.url))
  prior = readPrior(reader)
})

const newMemory = () => new TriageMemory({ prior, rarity: rarityIn(reader.rarities) })
function remember(memory: TriageMemory, themeId: string, texts: string[], isPinned = false): void {
  for (const text of texts) memory.put({ ...reader.read(text), itemId: text, themeId, isPinned })
}
const CARD = ['My card has not arrived', 'When will my new card be delivered?', 'Still waiting for the card you posted']
const EXPORT = ['The export to Excel is empty', 'How do I export my data as CSV?', 'Exported file has no rows']

describe('features', () => {
  it.each(['', '?', '🙂🙂', '日本語のテキスト', '\u0000\ud800'])('of %j can be compared', (text) => {
    const { meaning } = reader.read(text)
    expect(meaning).toHaveLength(MEANING)
    const memory = newMemory()
    remember(memory, 'card', CARD)
    expect(memory.decide({ meaning, terms: [] }).score).toBeGreaterThanOrEqual(0)
  })

  it('of a very long text are those of its start', () => {
    expect(reader.read(`My card. ${'word '.repeat(5_000)}`)).toEqual(reader.read(`My card. ${'word '.repeat(400)}`))
  })

  it('of one text are always the same', () => {
    expect(reader.read('My card has not arrived')).toEqual(reader.read('My card has not arrived'))
  })

  it('contain the stem of each word once', () => {
    expect(reader.read('Cards, cards and a card 12 34').terms).toEqual(['card', 'and', 'a', '#'])
  })
})

describe('a memory', () => {
  it('finds the theme of texts that mean the same', () => {
    const memory = newMemory()
    remember(memory, 'card', CARD)
    remember(memory, 'export', EXPORT)
    expect(memory.decide(reader.read('where is the card I ordered'))).toMatchObject({ themeId: 'card' })
    expect(memory.decide(reader.read('the CSV I exported is blank'))).toMatchObject({ themeId: 'export' })
  })

  it('finds no theme for an unrelated text and reports the nearest one', () => {
    const memory = newMemory()
    remember(memory, 'card', CARD)
    const decision = memory.decide(reader.read('please add a dark mode to the editor'))
    expect(decision.themeId).toBeUndefined()
    expect(decision.score).toBeLessThan(0.3)
    expect(newMemory().decide(reader.read('anything'))).toMatchObject({ themeId: undefined, score: 0 })
  })

  it('names the words that a text shares with its theme', () => {
    const memory = newMemory()
    remember(memory, 'card', CARD)
    remember(memory, 'export', EXPORT)
    expect(memory.decide(reader.read('my card never arrived')).shared).toEqual(['card', 'arriv'])
  })

  it('follows the decision of a person, even against similar texts', () => {
    const memory = newMemory()
    remember(memory, 'card', [...CARD, 'My card is not here', 'Where is my card?'])
    remember(memory, 'post', ['My card got lost in the post'], true)
    expect(memory.decide(reader.read('my card was lost in the post'))).toMatchObject({ themeId: 'post' })
    expect(memory.decide(reader.read('my card is still not here'))).toMatchObject({ themeId: 'card' })
  })

  it('forgets removed texts', () => {
    const memory = newMemory()
    remember(memory, 'card', CARD)
    for (const text of CARD) memory.forget(text)
    expect(memory.size).toBe(0)
    expect(memory.decide(reader.read(CARD[0]!))).toMatchObject({ themeId: undefined })
  })

  it.each([2_000, 3_100])('yields to other work while it places %i texts', async (count) => {
    const memory = newMemory()
    remember(memory, 'card', CARD)
    const other = reader.read('The weather is fine today')
    for (let i = 0; i < count; i++)
      memory.put({ ...other, itemId: `other ${i}`, themeId: `weather ${i % 50}`, isPinned: false })
    let turns = 0
    const taking = setInterval(() => turns++, 0)
    await memory.prepare()
    clearInterval(taking)
    expect(turns).toBeGreaterThan(1)
    expect(memory.decide(reader.read('where is the card I ordered'))).toMatchObject({ themeId: 'card' })
  })

  it('checks only likely themes when there are many texts, with the same result', () => {
    const memory = newMemory()
    remember(memory, 'card', CARD)
    remember(memory, 'export', EXPORT)
    const other = reader.read('The weather is fine today')
    for (let i = 0; i < 3_100; i++)
      memory.put({ ...other, itemId: `other ${i}`, themeId: `weather ${i % 50}`, isPinned: false })
    expect(memory.decide(reader.read('where is the card I ordered'))).toMatchObject({ themeId: 'card' })
  })
})

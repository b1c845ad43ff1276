import { beforeAll, describe, expect, it } from 'vitest'
import { NEUTRAL } from '../../engines/meaning/background.ts'
import { bCubed } from '../../engines/meaning/bcubed.ts'
import { type FeatureReader, loadFeatureReader } from '../../engines/meaning/feature-reader.ts'
import { BUILT_IN } from '../../engines/meaning/features.ts'
import { priorOf } from '../../engines/meaning/space.ts'
import { type Corpus, deriveGroups } from './derive.ts'

let reader: FeatureReader
beforeAll(async () => {
  reader = await loadFeatureReader(new URL('../../../assets/', import.meta.url))
})

const corpusOf = (texts: string[]): Corpus => ({
  texts: texts.map(reader.read),
  priors: [priorOf(BUILT_IN, NEUTRAL.map(reader.encode))],
  rarity: new Map(reader.rarities),
})
const setsOf = (values: readonly unknown[]) => values.map((one) => new Set([one]))

/** What customers of a library write. */
const TOPICS: Record<string, string[]> = {
  renew: [
    'I cannot renew my loan online',
    'renewing a book gives an error',
    'Verlängern der Ausleihe geht nicht',
    'The renew button does nothing',
  ],
  fees: [
    'Why do I have to pay a late fee?',
    'charged a fee although I brought the book back',
    'late fees are too high',
  ],
  search: ['search does not find books by author', 'The search never finds the book I look for'],
  rooms: ['please let me book a reading room', 'Reserve a room online?', 'Leseraum online reservieren'],
  hours: ['open on Sundays please'],
}

describe('deriveGroups', () => {
  it('finds what customers speak of, and rather leaves apart than mixes', () => {
    const texts = Object.values(TOPICS).flat()
    const topics = Object.entries(TOPICS).flatMap(([topic, all]) => all.map(() => topic))
    const { precision, f1 } = bCubed(setsOf(deriveGroups(corpusOf(texts))), setsOf(topics))
    expect(precision).toBeGreaterThan(0.85)
    expect(f1).toBeGreaterThan(bCubed(setsOf(texts), setsOf(topics)).f1)
  })

  it('takes the same matter in two languages together, and does not group texts by their language', () => {
    const texts = [
      'The password reset e-mail does not arrive',
      'Die E-Mail zum Zurücksetzen des Passworts kommt nicht an',
      'Der Export als PDF ist leer',
      'The PDF export is empty',
      'Die App stürzt beim Hochladen von Fotos ab',
    ]
    const groups = deriveGroups(corpusOf(texts))
    expect(groups[0]).toBe(groups[1])
    expect(groups[2]).toBe(groups[3])
    expect(new Set(groups).size).toBe(3)
  })

  it('takes together what is nearly the same when there is too much of it', () => {
    const three = ['Where is my card?', 'Please add a dark mode', 'Search is so slow']
    const corpus = corpusOf(three)
    const all = Array.from({ length: 1_600 }, (_, i) => corpus.texts[i % 3]!)
    const groups = deriveGroups({ ...corpus, texts: all })
    expect(new Set(groups).size).toBe(3)
    expect(groups.every((group, i) => group === groups[i % 3])).toBe(true)
  })

  it('can do with one text', () => {
    expect(deriveGroups(corpusOf(['Hello']))).toEqual([0])
  })
})

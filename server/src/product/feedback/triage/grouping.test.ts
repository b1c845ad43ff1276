import { beforeAll, describe, expect, it } from 'vitest'
import { type FeatureReader, loadFeatureReader } from '../../../engines/meaning/feature-reader.ts'
import { groupTexts, planGroups } from './grouping.ts'

let reader: FeatureReader
beforeAll(async () => {
  reader = await loadFeatureReader(new URL('../../../../assets/', import.meta.url))
})

const grouped = (texts: string[]) => groupTexts(texts.map(reader.read))

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

describe('groupTexts', () => {
  it('finds what customers speak of, and mixes nothing', () => {
    const topics = Object.entries(TOPICS).flatMap(([topic, all]) => all.map(() => topic))
    const groups = grouped(Object.values(TOPICS).flat())
    const topicsIn = new Map(groups.map((group) => [group, new Set<string>()]))
    for (const [i, group] of groups.entries()) topicsIn.get(group)!.add(topics[i]!)
    expect([...topicsIn.values()].filter((one) => one.size > 1)).toEqual([])
    expect(topicsIn.size).toBeLessThan(topics.length * 0.8)
  })

  it('takes the same matter in two languages together, and does not group texts by their language', () => {
    const texts = [
      'The password reset e-mail does not arrive',
      'Die E-Mail zum Zurücksetzen des Passworts kommt nicht an',
      'Der Export als PDF ist leer',
      'The PDF export is empty',
      'Die App stürzt beim Hochladen von Fotos ab',
    ]
    const groups = grouped(texts)
    expect(groups[0]).toBe(groups[1])
    expect(groups[2]).toBe(groups[3])
    expect(new Set(groups).size).toBe(3)
  })

  it('can do with one text', () => {
    expect(grouped(['Hello'])).toEqual([0])
  })
})

/** Each placement is a theme and the group that the text belongs to. */
const planned = (...placements: [string, number][]) => {
  const all = placements.map(([themeId, group], index) => ({ index, themeId, group }))
  return planGroups(all, (one) => one.group).map(({ themeId, members }) => [themeId, members.map((one) => one.index)])
}

it('a group goes on as the theme that most of its items are in', () => {
  expect(planned(['a', 0], ['a', 0], ['b', 0])).toEqual([['a', [0, 1, 2]]])
})

it('a theme that is split goes on as its larger half, and the other is to be opened', () => {
  expect(planned(['a', 0], ['a', 1], ['a', 1])).toEqual([
    [undefined, [0]],
    ['a', [1, 2]],
  ])
})

it('two groups never go on as one theme', () => {
  expect(planned(['a', 0], ['a', 0], ['a', 1], ['b', 1]).map(([themeId]) => themeId)).toEqual(['a', 'b'])
})

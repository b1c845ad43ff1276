import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { PRIOR_COUNT, readPrior } from '../../engines/meaning/background.ts'
import { bCubed } from '../../engines/meaning/bcubed.ts'
import { type FeatureReader, type Features, loadFeatureReader, MEANING } from '../../engines/meaning/features.ts'
import { type Corpus, deriveGroups } from './derive.ts'

let reader: FeatureReader
beforeAll(async () => {
  reader = await loadFeatureReader(new URL('../../../assets/', import.meta.url))
})

function corpusOf(all: Features[]): Corpus {
  const meanings = new Int8Array(all.length * MEANING)
  all.forEach(({ meaning }, index) => {
    meanings.set(meaning, index * MEANING)
  })
  const rarity = new Map(reader.rarities)
  return { meanings, terms: all.map((one) => one.terms), prior: readPrior(reader), priorCount: PRIOR_COUNT, rarity }
}

/** A tenth of the texts in `bench/triage`: three topics of thirty. */
async function sample(): Promise<{ topic: string; text: string }[]> {
  const file = new URL('../../../../bench/triage/service.txt', import.meta.url)
  let topic = ''
  return (await readFile(file, 'utf8')).split('\n').flatMap((line) => {
    if (line.startsWith('# ')) topic = line
    return line === topic || line === '' ? [] : [{ topic, text: line }]
  })
}

describe('deriveGroups', () => {
  it('finds what customers speak of', async () => {
    const topics = ['# dark mode', '# invite colleague', '# app crashes', '# slow', '# export data', '# order late']
    const texts = (await sample()).filter(({ topic }) => topics.includes(topic))
    const groups = deriveGroups(corpusOf(texts.map(({ text }) => reader.read(text))))
    expect(
      bCubed(
        groups,
        texts.map((one) => one.topic),
      ).f1,
    ).toBeGreaterThan(0.6)
  })

  it('takes together what is nearly the same when there is too much of it', () => {
    const [card, dark, slow] = ['Where is my card?', 'Please add a dark mode', 'Search is so slow'].map(reader.read)
    const all = Array.from({ length: 1_600 }, (_, i) => [card!, dark!, slow!][i % 3]!)
    const groups = deriveGroups(corpusOf(all))
    expect(new Set(groups).size).toBe(3)
    expect(groups.every((group, i) => group === groups[i % 3])).toBe(true)
  })

  it('can do with one text', () => {
    expect(deriveGroups(corpusOf([reader.read('Hello')]))).toEqual([0])
  })
})

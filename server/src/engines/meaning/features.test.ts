import { beforeAll, describe, expect, it } from 'vitest'
import { type FeatureReader, loadFeatureReader } from './feature-reader.ts'
import { createSpace } from './space.ts'
import { detectLanguage } from './words.ts'

let reader: FeatureReader
beforeAll(async () => {
  reader = await loadFeatureReader(new URL('../../../assets/', import.meta.url))
})

describe('the language', () => {
  it.each([
    ['Die App stürzt ab', 'de'],
    ['no funciona el login', 'es'],
    ['csv export pls', 'en'],
    ['nie mogę się zalogować', 'pl'],
    ['ログインできません', 'ja'],
    ['👍👍', undefined],
  ])('of "%s" is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language)
  })
})

describe('features', () => {
  it.each(['', '?', '🙂🙂', '\u0000\ud800'])('of %j are empty', (text) => {
    expect(reader.read(text)).toMatchObject({ vector: undefined, terms: [], forms: [] })
  })

  it('of one text are always the same', () => {
    expect(reader.read('My card has not arrived')).toEqual(reader.read('My card has not arrived'))
  })

  it('name the same thing alike in every language', () => {
    expect(reader.read('I forgot my password').terms).toContain('password')
    for (const text of ['Ich habe mein Kennwort vergessen', 'olvidé la contraseña', "j'ai perdu mon mot de passe"])
      expect(reader.read(text).terms).toContain('password')
    expect(reader.read('パスワードを忘れました').terms).toContain('password')
    expect(reader.read('Der Rechnungsexport bricht ab').terms).toEqual(expect.arrayContaining(['invoic', 'export']))
  })

  it('name codes, and no words that every report has', () => {
    expect(reader.read('Please add a fix for error E-204 in the app').terms).toEqual(['error', '204'])
  })

  it('say how the text writes what it names', () => {
    const { terms, forms } = reader.read('Der Rechnungsexport bricht ab')
    expect(forms[terms.indexOf('invoic')]).toBe('rechnungsexport')
  })

  it('have no vector in a language that the encoder does not understand', () => {
    expect(Buffer.from(reader.read('My invoice is wrong').vector!, 'base64')).toHaveLength(512)
    expect(reader.read('Meine Rechnung ist falsch').vector).toBeUndefined()
  })
})

describe('a space', () => {
  const spaceOf = (texts: string[]) => createSpace(texts.map(reader.read))
  const alike = (space: ReturnType<typeof spaceOf>, a: string, b: string) =>
    space.alike(space.place(reader.read(a)), space.place(reader.read(b)))

  it('learns the words that everybody uses here', () => {
    const common = [
      'invoice email is late',
      'invoice number wrong',
      'invoice logo missing',
      'invoice in dollars please',
    ]
    const [a, b] = ['delete an invoice', 'print an invoice']
    expect(alike(spaceOf([...common, a!, b!]), a!, b!)).toBeLessThan(alike(spaceOf([a!, b!]), a!, b!))
  })

  it('compares by vectors only what the same encoder read', () => {
    const space = spaceOf([])
    const [a, b] = [reader.read('the parcel never came'), reader.read('still waiting for my delivery')]
    const alike = (one: typeof a, other: typeof a) => space.alike(space.place(one), space.place(other))
    const without = alike({ ...a, vector: undefined }, b)
    expect(alike(a, b)).toBeGreaterThan(without)
    expect(alike(a, { ...b, encoder: 'another' })).toBe(without)
    expect(alike(a, { ...b, vector: Buffer.alloc(8, 1).toString('base64') })).toBe(without)
  })

  it('finds nothing alike in texts of different kinds', () => {
    const space = spaceOf([])
    const text = reader.read('I see the orders of others')
    expect(space.alike(space.place(text), space.place({ ...text, kind: 'leak' }))).toBe(0)
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../../../../test/harness.ts'
import { connect, type Sql } from '../../../kernel/database/index.ts'
import { addDocumentRows, addProjectRow, openRipgrep } from './search.factory.ts'
import { searchDocuments } from './search.ts'

const WRITTEN = [
  'The quick brown fox\njumps over\nthe lazy dog\n',
  'no final newline',
  '',
  '\n',
  '\n\n\n',
  'a\n\nb\n',
  'windows\r\nlines\r\n\r\nend here\r\n',
  'tab\tand  spaces \n   \n\t\n',
  'Café CAFÉ café cafe\u0301\nStraße STRASSE STRAẞE strasse\nİstanbul istanbul ISTANBUL ıstanbul\n',
  'Kelvin K k K\nſun sun SUN\nΣίσυφος ΣΊΣΥΦΟΣ σίσυφοσ\nμ µ Μ\n',
  '🙂 emoji 👩‍👩‍👧 family\n𝒳 astral 𝐀\nflags 🇩🇪\n',
  '## Heading\n\n- item one\n- item two\n\n```js\nconst x = /a.b/\n```\n',
  'foo_bar foo-bar foobar barfoo\nfoo\nbar foo baz\n(foo)\n',
  '2026-11-15 and 2026-1-5\nv1.2.3 and 1.2\n007\n٣٤٥ digits\n',
  'aaaa\naaab\nabab\nbbbb\nAaBb\n',
  'x'.repeat(500),
  `${'long line '.repeat(300)}end\nshort\n`,
  'a\u00a0b\u2003c\u2028d\u0085e\n',
  'back\\slash and $dollar ^caret [brackets] {braces} (parens) star* plus+ q? pipe| dot.\n',
  '\ufeffmark at the start\n',
  'payment Payment PAYMENT\nInvoice payment\n',
]

const words = ['alpha', 'Beta', 'GAMMA', 'straße', 'é', '🙂', '12', '-', '_', '.', ' ', '  ', '\t', '\r', 'K', 'ſ', 'İ']
const text = fc.array(fc.constantFrom(...words, '\n', '\n'), { maxLength: 60 }).map((parts) => parts.join(''))
const documents = [...WRITTEN, ...fc.sample(text, { numRuns: 60, seed: 5 })]

const PATTERNS = {
  literals: ['fox', 'payment', 'q', 'end here', 'dot\\.', '\\$dollar', 'no such text'],
  alternations: ['fox|dog', 'foo|payment|zzz', '(?:a|b)b', 'cat|', 'alpha|\\d+'],
  classes: [
    '[0-9]{4}-[0-9]{2}',
    '[^a-z\\s]',
    '[[:upper:]]{3}',
    '\\s',
    '[^a]',
    '\\W\\w',
    '\\D',
    '\\pL',
    '\\p{Greek}',
    '[\\w&&[^a-m]]',
    '\\S',
  ],
  anchors: [
    '^a',
    'a$',
    '^the',
    'end$',
    '^',
    '$',
    '^.$',
    '^\\s+$',
    '\\Aa',
    'b\\z',
    '\\A',
    '(?-m)^foo$',
    '^foo\\r?$',
    'lines$',
  ],
  'word boundaries': ['\\bfoo\\b', '\\Bfoo', 'foo\\B', '\\b', '\\B', '\\bé', '(?-u:\\b)caf'],
  unicode: [
    'é',
    'É',
    'ß',
    'ẞ',
    'ss',
    'i',
    'ı',
    'İ',
    'I',
    'k',
    's',
    'σ',
    'µ',
    '🙂',
    '[🙂-🙃]',
    '.{3}',
    '\\u{1F642}',
    '^.{1,3}$',
  ],
  'empty matches': ['^$', 'x*', '(?:)', 'a{0}', 'z?', '\\b|x', '(a|)*'],
  repetitions: ['a+', 'a{2,3}', '(ab){2}', 'x{300}', 'x{300,400}$', '(?:long line ){200}', '.*', '.+', 'fo+?'],
  flags: ['(?-i)payment', '(?s).', '(?x) f o x # the animal\n', '(?U)a+', '(?i:FOX)|(?-i:DOG)', '(?s:a.b)'],
  'line breaks': ['\\r', '\\r$', 'a\\s+b', '[\\s\\S]+', '[^x]*b', '\\s*$'],
}

const characters = [
  'a',
  'B',
  'é',
  'K',
  's',
  '1',
  ' ',
  '🙂',
  '.',
  '\\w',
  '\\d',
  '\\s',
  '\\S',
  '[a-m]',
  '[^a]',
  '\\.',
  'alpha',
  'beta',
]
const places = ['^', '$', '\\b', '\\B', '']

function patternsOf(atoms: string[]) {
  return fc.letrec<{ regex: string }>((tie) => ({
    regex: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...atoms),
      fc.tuple(tie('regex'), tie('regex')).map(([left, right]) => left + right),
      fc.tuple(tie('regex'), tie('regex')).map(([left, right]) => `(?:${left}|${right})`),
      fc
        .tuple(tie('regex'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '+?'))
        .map(([one, many]) => `(?:${one})${many}`),
    ),
  })).regex
}

const plain = fc
  .tuple(fc.constantFrom('^', '\\b', ''), patternsOf(characters), fc.constantFrom('$', '\\b', ''))
  .map((parts) => parts.join(''))
const wild = patternsOf([...characters, ...places, '\\A', '\\z', '(?:)', 'x{0}'])

let sql: Sql
let place: { projectId: string; treeId: string }
let numbers: Map<string, number>
let ripgrep: ReturnType<typeof openRipgrep>

async function ours(query: string, caseSensitive: boolean): Promise<string[]> {
  const hits = await searchDocuments(sql, {
    ...place,
    kind: 'note',
    query,
    caseSensitive,
    limit: 1000,
    deadlineMs: 20_000,
  })
  return hits.flatMap(({ id, matches }) => matches.map((one) => `${numbers.get(id)}:${one.line_number}`)).sort()
}

beforeAll(async () => {
  sql = connect(await cloneDatabase(), { max: 4 })
  place = await addProjectRow(sql)
  const ids = await addDocumentRows(
    sql,
    place,
    documents.map((content) => ({ content, title: '\u0001' })),
  )
  numbers = new Map(ids.map((id, at) => [id, at]))
  ripgrep = openRipgrep(documents)
})
afterAll(async () => {
  ripgrep.close()
  await sql.end()
})

describe('a search finds the same lines as ripgrep', () => {
  for (const [what, list] of Object.entries(PATTERNS))
    for (const caseSensitive of [false, true])
      it(`for ${what}, ${caseSensitive ? 'case-sensitive' : 'case-insensitive'}`, async () => {
        for (const pattern of list)
          expect(await ours(pattern, caseSensitive), pattern).toEqual(ripgrep.lines(pattern, { caseSensitive }))
      })

  it('and accepts a comment at the end of the pattern, unlike ripgrep', async () => {
    expect(await ours('(?x) f o x # the animal (of all', false)).toEqual(ripgrep.lines('fox'))
    expect(await ours('(?x: f o x # the animal\n) \\b', false)).toEqual(ripgrep.lines('fox \\b'))
  })

  it('for generated patterns', async () => {
    const compare = fc.asyncProperty(fc.oneof(plain, wild), fc.boolean(), async (pattern, caseSensitive) => {
      expect(await ours(pattern, caseSensitive), pattern).toEqual(ripgrep.lines(pattern, { caseSensitive }))
    })
    await fc.assert(compare, { numRuns: 150 })
  }, 120_000)
})

import { expect, test, vi } from 'vitest'
import { buildMarkdown } from './markdown.tsx'

vi.stubGlobal('location', { origin: 'https://slipway.example' })

const LENGTH = 100_000
/** A quadratic rule takes from 3 to 8 s. */
const WITHIN_MS = 2_000

const PIECES = [
  ...['{++', '{--', '{++a++}', '{--a', '++}', '{++a--}', '{++*a', '- {++a++}\n', '|{++a++}'],
  ...['[', ']', '![', '[a](', '[a]: b\n', '[a][', '](', '[^a]'],
  ...['*', '**a', '*a _b', '_', '~~a', 'a*b_', '***a** '],
  ...['`', '``a`', '<', '<a ', '<!--', '<?', 'https://a.b/', 'www.a.', 'a@b.', '&#1;', '&a', '\\'],
  ...[
    '> ',
    '>',
    '- ',
    '1. ',
    '* - ',
    '> - ',
    '    a\n',
    '```\n',
    '#',
    '# ',
    '|',
    '|-',
    'a|b\n-|-\n',
    '\n',
    ' ',
    '\t',
    '  \n',
  ],
]

test.for(PIECES)('a text of 100,000 characters made of %j is shown at once', { timeout: 60_000 }, (piece) => {
  const text = piece.repeat(Math.ceil(LENGTH / piece.length))
  const began = performance.now()
  buildMarkdown(text)
  expect(performance.now() - began).toBeLessThan(WITHIN_MS)
})

import { expect, test, vi } from 'vitest'
import { buildMarkdown } from './Markdown.tsx'

vi.stubGlobal('location', { origin: 'https://slipway.example' })

const LENGTH = 100_000
const AT_ONCE_MS = 300
/** Four times the text may take four times as long. A quadratic rule takes sixteen times as long. */
const MOST = 9

const PIECES = [
  ...['{++', '{--', '{++a++}', '{--a', '++}', '{++a--}', '{++*a', '- {++a++}\n', '|{++a++}'],
  ...['[', ']', '![', '[a](', '[a]: b\n', '[a][', '](', '[^a]'],
  ...['*', '**a', '*a _b', '_', '~~a', 'a*b_', '***a** '],
  ...['`', '``a`', '<', '<a ', '<!--', '<?', 'https://a.b/', 'www.a.', 'a@b.', '&#1;', '&a', '\\'],
  ...[
    '<details>\n\n',
    '<details>\n\n</details>\n\n',
    '> [!NOTE]\n\n',
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

function timeOf(piece: string, length: number): number {
  const text = piece.repeat(Math.ceil(length / piece.length))
  const began = performance.now()
  buildMarkdown(text)
  return performance.now() - began
}

test.for(PIECES)('showing %j again and again takes time in proportion to its length', { timeout: 60_000 }, (piece) => {
  const whole = timeOf(piece, LENGTH)
  if (whole > AT_ONCE_MS) expect(whole / timeOf(piece, LENGTH / 4)).toBeLessThan(MOST)
})

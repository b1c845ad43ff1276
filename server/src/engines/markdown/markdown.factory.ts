import { createRequire } from 'node:module'
import fc from 'fast-check'

interface SpecExample {
  markdown: string
  html: string
  section: string
  number: number
}

const spec = createRequire(import.meta.url)('commonmark-spec') as { tests: SpecExample[] }
const tabs = (text: string) => text.replaceAll('→', '\t')

/** The 652 examples of the CommonMark specification. */
export const SPEC_EXAMPLES = spec.tests.map((example) => ({
  ...example,
  markdown: tabs(example.markdown),
  html: tabs(example.html),
}))

/** Examples of the GFM extensions, footnotes and front matter. */
export const GFM_EXAMPLES = [
  '| a | b |\n| - | :-: |\n| `x\\|y` | **z** |\n| only |\n',
  'text\n| a | b |\n|---|--:|\nnext row | 2\n\nafter\n',
  '- [ ] open\n- [x] done\n  - [X] nested\n- plain\n',
  '1. [ ] one\n\n   more\n2. two\n',
  'a ~~strike~~ b ~one~ c ~~~not~~~\n',
  'see https://example.org/a_b_c?d=(e)., www.example.org or me@example.org\n',
  '<https://example.org> <me@example.org> <b>raw</b> a<br>b\n',
  'a[^1] and b[^note]\n\n[^1]: one\n[^note]: two\n\n    more of two\n\nend\n',
  '---\ntitle: Slipway\ntags: [a, b]\n---\n\n# Heading\n',
  '[foo]: /url "title"\n[bar]: <b c>\n\n[foo] [text][bar] [bar][] ![alt][foo]\n',
  'a  \nb\\\nc\nd\n',
  'Setext\n======\n\nAnother\n---\n***\n_ _ _\n',
  '> - a\n>   > b\n>   ```js title="x"\n>   code\n>   ```\n> c\nlazy\n',
  '    indented\n\n    code\n\n~~~~ text\n```\n~~~~\n',
  '* a\n\n  b\n* c\n\n+ d\n3) e\n4) f\n',
  '<div class="x">\n<p>raw</p>\n</div>\n\n<!-- a\n\ncomment -->\n\n<script>\nlet a = 1\n\nlet b\n</script>\n',
  '**a _b_ c** *d **e** f* ***g*** __h__ `` i ` j ``\n',
  'a \\* \\_ \\[ &amp; &copy; &#35; \\\\ end\n',
  'Windows\r\nlines\r\n\r\n- a\r\n- b\r\n',
]

const word = fc.constantFrom(
  'alpha',
  'beta',
  'gamma',
  'Ärger',
  '漢字',
  '🙂',
  'a_b',
  '1.',
  'x*y',
  '&',
  '<',
  '--',
  '{',
  '++',
)
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((list) => list.join(' '))
const span = fc.oneof(
  { weight: 4, arbitrary: words },
  words.map((text) => `**${text}**`),
  words.map((text) => `_${text}_`),
  words.map((text) => `~~${text}~~`),
  words.map((text) => `\`${text}\``),
  words.map((text) => `[${text}](https://example.org/a "t")`),
  words.map((text) => `![${text}](a.png)`),
  fc.constantFrom(
    '`',
    '\\*',
    '**',
    'a\\',
    '<b>',
    '&copy;',
    '`{++`',
    '`--}`',
    '{++ lone',
    '[ref]',
    '  \nnext',
    '\nsoft',
  ),
)
const prose = fc.array(span, { minLength: 1, maxLength: 5 }).map((list) => list.join(' '))

const indent = (text: string, first: string, rest: string) =>
  first +
  text
    .split('\n')
    .map((line, at) => (at === 0 || line === '' ? line : rest + line))
    .join('\n')

const leaf = fc.oneof(
  { weight: 4, arbitrary: prose },
  prose.map((text) => `## ${text.replaceAll('\n', ' ')}`),
  prose.map((text) => `${text.replaceAll('\n', ' ')}\n===`),
  fc.tuple(fc.constantFrom('```', '~~~~'), words).map(([mark, text]) => `${mark}js\n${text}\n\n  ${text}\n${mark}`),
  words.map((text) => `    ${text}\n    ${text}`),
  fc.constantFrom(
    '---',
    '***',
    '<div>\nraw *html*\n</div>',
    '<!-- note -->',
    '[ref]: /url "Title"',
    '[^1]: a footnote',
  ),
  fc.tuple(words, words).map(([a, b]) => `| a | b |\n|---|:-:|\n| ${a} | ${b} |`),
)

const { block } = fc.letrec<{ block: string; blocks: string }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((list) => list.join('\n\n')),
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('blocks').map((text) =>
      text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n'),
    ),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((list) => list.map((text) => indent(text, '- ', '  ')).join('\n')),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((list) => list.map((text, at) => indent(text, `${at + 1}. `, '   ')).join('\n\n')),
    fc
      .array(prose, { minLength: 1, maxLength: 3 })
      .map((list) => list.map((text) => indent(text, '- [x] ', '  ')).join('\n')),
  ),
}))

const documentWith = (gap: fc.Arbitrary<string>) =>
  fc.tuple(fc.array(fc.tuple(block, gap), { maxLength: 6 }), fc.boolean()).map(([blocks, crlf]) => {
    const text = blocks.map(([each, after]) => each + after).join('')
    return crlf ? text.replaceAll('\n', '\r\n') : text
  })

/** Generates realistic documents from blocks of every kind, including tricky ones. */
export const markdownDocument = documentWith(fc.constantFrom('\n\n', '\n\n', '\n\n\n', '\n'))

/** Generates documents with a blank line after each block. All markdown parsers agree on where such blocks end. */
export const spacedDocument = documentWith(fc.constantFrom('\n\n', '\n\n\n'))

export const anyMarkdown = fc.oneof(
  { weight: 3, arbitrary: markdownDocument },
  fc.constantFrom(...SPEC_EXAMPLES.map((example) => example.markdown)),
  fc.constantFrom(...GFM_EXAMPLES),
)

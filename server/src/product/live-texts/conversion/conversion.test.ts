import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as Y from 'yjs'
import { acceptedView, rejectedView, writeProposal } from '../../../engines/markdown/index.ts'
import {
  anyMarkdown,
  GFM_EXAMPLES,
  markdownDocument,
  SPEC_EXAMPLES,
} from '../../../engines/markdown/markdown.factory.ts'
import { keyOf } from './block-key.ts'
import { follow, nameChanges, writeOut } from './conversion.ts'
import { fragmentOf, readFragment } from './read-fragment.ts'
import { readShared } from './rich-form.ts'

const share = (source: string) => follow({ source, changeIds: [], before: undefined })
const change = (state: Uint8Array, from: string, to: string) =>
  follow({ source: to, changeIds: [], before: { state, source: from } })
const written = (source: string, ...states: Uint8Array[]) => writeOut({ source, changeIds: [], states }).markdown

function open(...states: Uint8Array[]): Y.Doc {
  const shared = new Y.Doc()
  for (const state of states) Y.applyUpdate(shared, state)
  return shared
}

const said = (state: Uint8Array) => readFragment(fragmentOf(open(state))).children.map(keyOf)

/** Types at the end of a block. */
function type(state: Uint8Array, block: number, text: string): Uint8Array {
  const shared = open(state)
  const inner = (fragmentOf(shared).get(block) as Y.XmlElement).get(0) as Y.XmlText
  inner.insert(inner.length, text)
  return Y.encodeStateAsUpdate(shared)
}

describe('the shared state', () => {
  test('of every CommonMark and GFM example is written back byte for byte', () => {
    for (const source of [...GFM_EXAMPLES, ...SPEC_EXAMPLES.map(({ markdown }) => markdown)])
      expect(written(source, share(source))).toBe(source)
  })

  test.each([
    ['one\n\n```js\ncode', 'one\n\n```js\ncode\n```\n\nnew'],
    ['one\n\n> ~~~\n> code\n', 'one\n\n> ~~~\n> code\n> ~~~\n\nnew\n'],
    ['one\n\n<!-- comment\n\nlong\n', 'one\n\n<!-- comment\n\nlong\n-->\n\nnew\n'],
    ['one\n\n```\ncode\n```\n', 'one\n\n```\ncode\n```\n\nnew\n'],
    ['', 'new\n'],
  ])('of %j, whose last block may be open, takes no words typed below into that block', (source, expected) => {
    const shared = open(share(source))
    const below = new Y.XmlElement('paragraph')
    below.insert(0, [new Y.XmlText('new')])
    fragmentOf(shared).push([below])
    const markdown = written(source, Y.encodeStateAsUpdate(shared))
    expect(markdown).toBe(expected)
    expect(readShared(markdown, []).doc.lastChild!.textContent).toBe('new')
  })

  test('of any document is written back byte for byte', () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        expect(written(source, share(source))).toBe(source)
      }),
      { numRuns: 60 },
    )
  })

  test('has the meaning of the markdown after any change of it', () => {
    fc.assert(
      fc.property(markdownDocument, markdownDocument, (from, to) => {
        const state = change(share(from), from, to)
        expect(said(state)).toEqual(readShared(to, []).doc.children.map(keyOf))
        expect(written(to, state)).toBe(to)
      }),
      { numRuns: 60 },
    )
  })

  test('keeps a mark without text, such as the link around an image', () => {
    const source = 'before\n\n[![Build](https://a.example/b.svg)](https://a.example)\n\nafter\n'
    expect(written(source, type(share(source), 2, '!'))).toBe(source.replace('after', 'after!'))
  })

  test('keeps emphasis across a line break when the line is edited', () => {
    const source = 'one *two\nthree* four\n'
    const shared = open(share(source))
    const inner = fragmentOf(shared).get(0) as Y.XmlElement
    ;(inner.get(0) as Y.XmlText).insert(0, 'x')
    expect(written(source, Y.encodeStateAsUpdate(shared))).toBe('xone *two\nthree* four\n')
  })
})

describe('a change of the markdown', () => {
  const lines = Array.from({ length: 200 }, (_, at) => `Paragraph ${at} says something of its own.`)
  const source = `${lines.join('\n\n')}\n`

  test('is a small update, even in several places', () => {
    const state = share(source)
    const shared = open(state)
    const to = `New at the top.\n\n${source.replace('Paragraph 100 says', 'Paragraph 100 tells').replace('Paragraph 199 says something of its own.\n', '')}`
    const update = Y.encodeStateAsUpdate(open(change(state, source, to)), Y.encodeStateVector(shared))
    // Besides the change, the update contains all deletions so far, of which there are few here.
    expect(update.length).toBeLessThan(300)
    Y.applyUpdate(shared, update)
    expect(written(to, Y.encodeStateAsUpdate(shared))).toBe(to)
  })

  test('into blocks of another kind looks up a few places, not one for each block', () => {
    const to = source.replaceAll('Paragraph', '# Heading')
    const state = share(source)
    // Yjs counts from the beginning to find a place, so one for each block would take quadratic time.
    const spies = [vi.spyOn(Y.XmlFragment.prototype, 'insert'), vi.spyOn(Y.XmlFragment.prototype, 'delete')]
    onTestFinished(() => void vi.restoreAllMocks())
    expect(written(to, change(state, source, to))).toBe(to)
    const atTop = spies.flatMap(({ mock }) => mock.contexts.filter((one) => !(one instanceof Y.XmlElement)))
    expect(atTop.length).toBeLessThan(5)
  })

  test('keeps concurrent typing in other blocks and in the same block', () => {
    const state = share(source)
    const to = `New at the top.\n\n${source.replace('Paragraph 100 says', 'Paragraph 100 tells')}`
    const changed = change(state, source, to)
    const typed = [0, 99, 100, 199].map((block) => type(state, block, ' And more.'))
    let expected = to
    for (const block of [0, 99, 100, 199])
      expected = expected.replace(
        new RegExp(`(Paragraph ${block} \\w+ something of its own\\.)`),
        (line) => `${line} And more.`,
      )
    expect(written(to, changed, ...typed)).toBe(expected)
  })

  test('keeps an empty paragraph in which someone may be about to type', () => {
    const shared = open(share('one\n\ntwo\n'))
    fragmentOf(shared).insert(1, [new Y.XmlElement('paragraph')])
    const state = Y.encodeStateAsUpdate(shared)
    expect(written('one\n\ntwo\n', state)).toBe('one\n\ntwo\n')
    const changed = change(state, 'one\n\ntwo\n', 'ONE\n\ntwo\n')
    ;(fragmentOf(shared).get(1) as Y.XmlElement).insert(0, [new Y.XmlText('typed')])
    expect(written('ONE\n\ntwo\n', changed, Y.encodeStateAsUpdate(shared))).toBe('ONE\n\ntyped\n\ntwo\n')
  })

  const elementAt = (shared: Y.Doc, ...path: number[]) =>
    path.reduce<Y.XmlFragment>((parent, at) => parent.get(at) as Y.XmlElement, fragmentOf(shared)) as Y.XmlElement
  const lineOf = (text?: string) => {
    const line = new Y.XmlElement('paragraph')
    if (text) line.insert(0, [new Y.XmlText(text)])
    return line
  }
  const suggested = (state: Uint8Array, from: string, to: string, ids = ['a', 'b']) =>
    follow({ source: to, changeIds: ids, before: { state, source: from } })

  test('keeps an empty list item in which someone is about to type, and what they type stays in it', () => {
    const shared = open(share('- one\n- two\n\nend\n'))
    const item = new Y.XmlElement('list_item')
    elementAt(shared, 0).insert(1, [item])
    item.insert(0, [lineOf()])
    const state = Y.encodeStateAsUpdate(shared)
    const stored = written('- one\n- two\n\nend\n', state)
    expect(stored).toBe('- one\n-\n- two\n\nend\n')
    const to = '- one\n-\n- {--two--}{++2++}\n\nend\n'
    const changed = suggested(state, stored, to)
    elementAt(shared, 0, 1, 0).insert(0, [new Y.XmlText('typed')])
    expect(written(to, changed, Y.encodeStateAsUpdate(shared))).toBe(to.replace('-\n', '- typed\n'))
  })

  test('leaves an empty paragraph behind the block that it follows', () => {
    const from = '> one\n\ntwo\n\nthree\n'
    const shared = open(share(from))
    fragmentOf(shared).insert(2, [lineOf()])
    elementAt(shared, 0).insert(1, [lineOf()])
    const to = '> one!\n\ntwo!\n\nnew\n\nthree!\n'
    const changed = change(Y.encodeStateAsUpdate(shared), from, to)
    elementAt(shared, 2).insert(0, [new Y.XmlText('typed')])
    elementAt(shared, 0, 1).insert(0, [new Y.XmlText('quoted')])
    expect(written(to, changed, Y.encodeStateAsUpdate(shared))).toBe(
      '> one!\n>\n> quoted\n\ntwo!\n\ntyped\n\nnew\n\nthree!\n',
    )
  })

  test.each([
    ['one\n', 'One\n', 'One next\n'],
    ['- one\n- two\n', '- 1\n- two\n', '- 1 next\n- two\n'],
    ['one\n', 'one {++more++}\n', 'one {++more++} next\n'],
  ])('keeps the space at the end of a line in which someone types: %j', (from, to, expected) => {
    const shared = open(share(from))
    const line = from.startsWith('-') ? elementAt(shared, 0, 0, 0) : elementAt(shared, 0)
    const text = line.get(0) as Y.XmlText
    text.insert(text.length, ' ')
    const changed = suggested(Y.encodeStateAsUpdate(shared), from, to)
    const after = open(changed)
    const last = (from.startsWith('-') ? elementAt(after, 0, 0, 0) : elementAt(after, 0)).toArray().at(-1) as Y.XmlText
    last.insert(last.length, 'next', {})
    expect(written(to, Y.encodeStateAsUpdate(after))).toBe(expected)
  })

  test('does not touch the letters that stay, whatever marks they get', () => {
    const from = 'Pay within **ten working days** of the *order*,\nor cancel\\\nit.\n'
    const to = 'Pay {--within **ten** working days of--}{++after++} the order,\nor cancel\\\nit now.\n'
    const state = share(from)
    const changed = open(suggested(state, from, to))
    const shared = open(state)
    const [before, after] = [elementAt(shared, 0), elementAt(changed, 0)]
    expect(after.length).toBe(before.length)
    for (let child = 0; child < before.length; child++) {
      const was = before.get(child) as unknown as { _item: Y.Item }
      expect((after.get(child) as unknown as { _item: Y.Item })._item.id).toEqual(was._item.id)
    }
    // Nobody's letters are deleted: everything is marked or added.
    ;(before.get(0) as Y.XmlText).insert('Pay within ten wor'.length, 'X')
    expect(written(to, Y.encodeStateAsUpdate(changed), Y.encodeStateAsUpdate(shared))).toContain('wor--}X{--king')
  })

  test('keeps what someone types out of a deletion that they have not seen', () => {
    const from = 'Pay in ten working days.\n'
    const to = 'Pay in {--ten working days--}{++a week++}.\n'
    const state = share(from)
    for (const [at, expected] of [
      ['Pay in '.length, 'Pay in X{--ten working days--}{++a week++}.\n'],
      ['Pay in ten wor'.length, 'Pay in {--ten wor--}X{--king days--}{++a week++}.\n'],
    ] as const) {
      const shared = open(state)
      ;(elementAt(shared, 0).get(0) as Y.XmlText).insert(at, 'X')
      expect(written(to, suggested(state, from, to), Y.encodeStateAsUpdate(shared))).toBe(expected)
    }
  })

  test.each([
    ['one two{++x++} three\n', 'one two three\n'],
    ['one{++x++} three\n', 'one three\n'],
  ])('keeps what the author of a suggestion types on as a suggestion: %j', (expected, to) => {
    const from = 'one{++ two++} three\n'
    const state = follow({ source: from, changeIds: ['a'], before: undefined })
    const shared = open(state)
    ;(elementAt(shared, 0).get(0) as Y.XmlText).insert('one two'.length, 'x', { insertion: { id: 'a' } })
    expect(written(to, suggested(state, from, to, []), Y.encodeStateAsUpdate(shared))).toBe(expected)
  })

  test('puts what someone types at the end of a word behind what replaces it, in one piece', () => {
    const from = 'Pay in ten days.\n'
    const to = 'Pay in {--ten days--}{++a week++}.\n'
    for (const clientID of [70_000, 4_000_000_000]) {
      const state = share(from)
      const shared = open(state)
      shared.clientID = clientID
      const text = elementAt(shared, 0).get(0) as Y.XmlText
      text.insert('Pay in ten days'.length, 'X', {})
      expect(written(to, suggested(state, from, to), Y.encodeStateAsUpdate(shared))).toBe(
        'Pay in {--ten days--}{++a week++}X.\n',
      )
    }
  })

  test('gives suggestions the ids that they have now, also if the text is what it was', () => {
    const from = 'one {++two++}\n\n{--three--} four\n'
    const idsIn = (state: Uint8Array) => {
      const ids: string[] = []
      readFragment(fragmentOf(open(state))).descendants(({ marks }) => {
        for (const { attrs } of marks) if (attrs.id) ids.push(attrs.id)
      })
      return ids
    }
    const state = follow({ source: from, changeIds: ['a', 'b'], before: undefined })
    expect(idsIn(state)).toEqual(['a', 'b'])
    const again = follow({ source: from, changeIds: ['c', 'd'], before: { state, source: from } })
    expect(idsIn(again)).toEqual(['c', 'd'])
    expect(written(from, again)).toBe(from)
  })

  test('reuses the element of a block that is rewritten next to a new one', () => {
    const from = 'alpha beta gamma\n\nend\n'
    const to = 'something else\n\nalpha beta, gamma\n\nend\n'
    const state = share(from)
    expect(written(to, change(state, from, to), type(state, 0, ' delta'))).toBe(
      'something else\n\nalpha beta, gamma delta\n\nend\n',
    )
  })
})

describe('content from an editor with another schema or bad intentions', () => {
  test.for([
    ['an unknown block', () => new Y.XmlElement('video')],
    ['a list without items', () => new Y.XmlElement('bullet_list')],
    ['a text outside of blocks', () => new Y.XmlText('loose')],
    ['a mark that is none', () => withText(new Y.XmlText('plain'), { glow: {} })],
  ] as const)('changes nothing else: %s', ([, make]) => {
    const shared = open(share('one\n\n- a\n- b\n'))
    fragmentOf(shared).insert(1, [make()])
    expect(written('one\n\n- a\n- b\n', Y.encodeStateAsUpdate(shared)).replace('plain\n\n', '')).toBe(
      'one\n\n- a\n- b\n',
    )
  })

  test.for([-1, 7, 1e9, 1.5, Number.NaN, '2', { a: 1 }])('is not a heading of level %o', (level) => {
    const shared = open(share('one\n'))
    const heading = withText(new Y.XmlText('Title'), {}, 'heading')
    heading.setAttribute('level', level as never)
    fragmentOf(shared).insert(0, [heading])
    expect(written('one\n', Y.encodeStateAsUpdate(shared))).toBe('# Title\n\none\n')
  })

  test('is cut off where it nests too deep', () => {
    const shared = open(share('one\n'))
    let inner = new Y.XmlElement('blockquote')
    fragmentOf(shared).insert(1, [inner])
    for (let depth = 0; depth < 3_000; depth++) {
      const next = new Y.XmlElement('blockquote')
      inner.insert(0, [next])
      inner = next
    }
    expect(written('one\n', Y.encodeStateAsUpdate(shared))).toContain('one\n')
  })
})

function withText(text: Y.XmlText, attributes: object, name = 'paragraph'): Y.XmlElement {
  const element = new Y.XmlElement(name)
  text.applyDelta([{ retain: 5, attributes }])
  element.insert(0, [text])
  return element
}

describe('a proposal of other blocks', () => {
  const around = (blocks: string) => `Before.\n\n${blocks}\n\nAfter.\n`
  /** An editor puts a proposal in the place of blocks, which it writes in its own way. */
  function propose(state: Uint8Array, from: number, count: number, source: string): Uint8Array {
    const shared = open(state)
    const block = new Y.XmlElement('opaque_block')
    fragmentOf(shared).delete(from, count)
    fragmentOf(shared).insert(from, [block])
    block.setAttribute('source', source)
    return Y.encodeStateAsUpdate(shared)
  }

  test.each([
    ['* one\n* two', 1, '- one\n- two', '- one\n- [x] two'],
    ['Title\n-----', 1, '## Title', '### Title'],
    [
      '| a | b |\n|---|:--|\n| 1 | 2 |',
      1,
      '| a | b |\n| --- | :-- |\n| 1 | 2 |',
      '| a | b |\n| --- | :-- |\n| 1 | 3 |',
    ],
    ['~~~js\nlet a\n~~~', 1, '```js\nlet a\n```', '```js\nlet b\n```'],
    ['# One #\n\n\n+ two', 2, '# One\n\n- two', 'Three'],
  ])('keeps the bytes of %j until it is accepted', (written_, count, known, fresh) => {
    const source = around(written_)
    const state = propose(share(source), 1, count, writeProposal({ old: known, fresh })!)
    const proposed = written(source, state)
    expect(rejectedView(proposed)).toBe(source)
    expect(acceptedView(proposed)).toBe(around(fresh))

    // The editor goes on from the stored text.
    const named = nameChanges({ source: proposed, changeIds: [], state })!
    expect(readFragment(fragmentOf(open(named))).child(1).attrs.source).toBe(proposed.slice(9, -9))
    expect(written(proposed, named)).toBe(proposed)

    // Letters that were typed before the editor had the stored text.
    const more = propose(state, 1, 1, writeProposal({ old: known, fresh: `${fresh}!` })!)
    expect(rejectedView(written(proposed, more))).toBe(source)

    // Typed back to what it was.
    const back = follow({ source: around(known), changeIds: [], before: { state: named, source: proposed } })
    expect(written(proposed, back)).toBe(source)
  })
})

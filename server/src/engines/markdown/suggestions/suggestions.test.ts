import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptedView, applySuggestion, carryOver, findChanges, rejectedView, resolveChanges } from '../index.ts'
import { anyMarkdown } from '../markdown.factory.ts'

function applied(source: string, oldText: string, newText: string, replaceAll = false): string {
  const outcome = applySuggestion(source, oldText, newText, { replaceAll })
  if (outcome.outcome !== 'applied') throw new Error(outcome.outcome)
  return outcome.source
}

describe('finding changes', () => {
  it.each([
    ['{++a++} and {--b--}', ['+a', '-b']],
    ['a {++two\n\nblocks++} b', ['+two\n\nblocks']],
    ['a `{++b++}` c', []],
    ['``a ` {--b--}`` {++c++}', ['+c']],
    ['```\n{++a++}\n```\n{++b++}', ['+b']],
    ['    {++a++}\n\nb {++c++}', ['+c']],
    ['- a\n\n      {++b++}\n', []],
    ['---\na: {++b++}\n---\n', []],
    ['\\{++a++} \\\\{++b++}', ['+b']],
    ['a {++ lone and {++b++}', ['+b']],
    ['use `{++` to {--b--} and `++}`', ['-b']],
    ['a ` b\n- c {++d++} ` e', ['+d']],
    ['{++++} {----}', []],
    ['{--```\na\n```--}{++```\nb\n```++}\n', ['-```\na\n```', '+```\nb\n```']],
    ['<!-- {++a++} -->', ['+a']],
  ])('%j has %j', (source, expected) => {
    const found = findChanges(source).map(({ kind, text }) => (kind === 'insertion' ? '+' : '-') + text)
    expect(found).toEqual(expected)
  })

  it('returns the position of each change and of its text', () => {
    const [change] = findChanges('ab {++cd++} e')
    expect(change).toMatchObject({ from: 3, to: 11, textFrom: 6, textTo: 8, text: 'cd' })
  })

  it('does not alter a document without changes in any view', () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        fc.pre(findChanges(source).length === 0)
        expect(acceptedView(source)).toBe(source)
        expect(rejectedView(source)).toBe(source)
      }),
    )
  })
})

describe('rejecting an added paragraph', () => {
  it.each([
    ['between two others', 'a\n\n{++b++}\n\nc\n', 'a\n\nc\n'],
    ['with a larger space after it', 'a\n\n{++b++}\n\n{++c++}\n\n\nd\n', 'a\n\n\nd\n'],
    ['at the start', '{++a++}\n\nb\n', 'b\n'],
    ['at the end', 'a\n\n{++b++}\n', 'a\n'],
    ['by two people', 'a\n\n{++b++}{++c++}\n\nd\n', 'a\n\nd\n'],
    ['in a quote', '> a\n>\n> {++b++}\n\nc\n', '> a\n\nc\n'],
    ['in Windows lines', 'a\r\n\r\n{++b++}\r\n\r\nc\r\n', 'a\r\n\r\nc\r\n'],
    ['after a divided line', 'a{-- b--}\n\n{++b++}\n\nc\n', 'a b\n\nc\n'],
  ])('leaves no empty lines %s', (_, source, expected) => {
    expect(rejectedView(source)).toBe(expected)
  })

  it.each(['a {++b++}\n\nc\n', '{++a++}\nb\n', '{--a--}{++b++}\n\nc\n'])('leaves the lines of %j', (source) => {
    expect(rejectedView(source).split('\n')).toHaveLength(source.split('\n').length)
  })
})

describe('rejecting an added list item', () => {
  it.each([
    ['- a\n- {++b++}\n- c\n', '- a\n- c\n'],
    ['- a\n- {++b++}', '- a'],
    ['- {++b++}\n- c\n', '- c\n'],
    ['1. a\n2. [ ] {++b++}\n', '1. a\n'],
    ['- a\n- {++b++} c\n', '- a\n-  c\n'],
    ['- a\n- {++b++}\n  - c\n', '- a\n- \n  - c\n'],
  ])('of %j leaves %j', (source, expected) => {
    expect(rejectedView(source)).toBe(expected)
    expect(resolveChanges(source, findChanges(source).slice(0, 1), 'reject')).toBe(expected)
  })
})

describe('a suggestion', () => {
  it.each([
    ['a plain word', 'one two three', 'two', '2', 'one {--two--}{++2++} three'],
    ['a deletion', 'one two', ' two', '', 'one{-- two--}'],
    ['across formatting', 'a **bold** word\nhere.', 'bold word here', 'new', 'a {--**bold** word\nhere--}{++new++}.'],
    ['inside formatting', 'a **bold** b', 'bold', 'new', 'a **{--bold--}{++new++}** b'],
    ['that cuts formatting', 'a **very bold** b', 'bold b', 'c', 'a {--**very bold** b--}{++**very** c++}'],
    ['with half of a pair', 'a **b** c', '** c', 'd', 'a {--**b** c--}{++**bd++}'],
    ['across blocks', 'one.\n\n- two', 'one. two', 'x', '{--one.\n\n- two--}{++x++}'],
    ['in a code span', 'a `b c` d', 'c', 'e', 'a {--`b c`--}{++`b e`++} d'],
    ['in a fence', '> ```\n> a\n> ```', 'a', 'b', '> {--```\n> a\n> ```--}{++```\n> b\n> ```++}'],
    ['behind a backslash', 'a\\b', 'b', 'c', 'a{--\\b--}{++\\c++}'],
    ['with a closer in it', 'a b', 'b', 'c++}d', 'a {--b--}{++c+++}{+++}d++}'],
    ['with an opener in it', 'a b', 'b', '{++', 'a {--b--}{++{++}{++++++}'],
    ['of a heading', '# A\n\nb', '# A', '## A', '{--# A--}{++## A++}\n\nb'],
    ['written with formatting', 'a\n**b** c', 'a **b** c', 'd', '{--a\n**b** c--}{++d++}'],
  ])('%s', (_, source, oldText, newText, expected) => {
    expect(applied(source, oldText, newText)).toBe(expected)
  })

  it('fills an empty document', () => {
    expect(applied('', '', 'a\n\nb')).toBe('{++a\n\nb++}')
  })

  it('reports text that is missing, ambiguous or already changed', () => {
    expect(applySuggestion('a b', 'c', 'd')).toEqual({ outcome: 'notFound' })
    expect(applySuggestion('a b', '', 'd')).toEqual({ outcome: 'notFound' })
    expect(applySuggestion('a b a', 'a', 'd')).toEqual({ outcome: 'ambiguous', count: 2 })
    const pending = applied('one two three', 'two', '2')
    for (const oldText of ['two', 'one two', '2', 'one 2', 'two--}{++', 'one **two**'])
      expect(applySuggestion(pending, oldText, 'x')).toEqual({ outcome: 'overlapsPending' })
    expect(applySuggestion(`${pending} two`, 'two', 'x').outcome).toBe('applied')
  })

  it('returns one change for each tracked insertion and deletion', () => {
    const outcome = applySuggestion('a {++x++} b a', 'a', 'c', { replaceAll: true })
    expect(outcome.outcome === 'applied' && outcome.changes.map(({ kind, text }) => [kind, text])).toEqual([
      ['deletion', 'a'],
      ['insertion', 'c'],
      ['deletion', 'a'],
      ['insertion', 'c'],
    ])
  })
})

const edit = fc.constantFrom(
  'new',
  '',
  'a\n\nb',
  '`',
  '```',
  '**',
  '++}',
  '{--',
  '--}{++',
  '{++a++}',
  '{',
  '\\',
  '<!--',
  '> q',
  '    c',
  '---',
)

function sliceOf(source: string, from: number, length: number): string {
  const start = Math.floor(from * source.length)
  return source.slice(start, start + length)
}

const place = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 40 }))

describe('any suggestion on any document', () => {
  it('yields the replaced text when accepted and the original bytes when rejected', () => {
    fc.assert(
      fc.property(anyMarkdown, place, edit, fc.boolean(), (source, [from, length], newText, replaceAll) => {
        const oldText = sliceOf(source, from, length)
        fc.pre(oldText !== '' && findChanges(source).length === 0)
        const outcome = applySuggestion(source, oldText, newText, { replaceAll })
        if (outcome.outcome !== 'applied') {
          expect(outcome.outcome).toBe('ambiguous')
          return
        }
        expect(rejectedView(outcome.source)).toBe(source)
        const replaced = replaceAll ? source.replaceAll(oldText, () => newText) : source.replace(oldText, () => newText)
        expect(acceptedView(outcome.source)).toBe(replaced)
      }),
      { numRuns: 400 },
    )
  })

  it('leaves a suggestion elsewhere pending, in either order', () => {
    fc.assert(
      fc.property(anyMarkdown, place, place, edit, edit, (source, first, second, newFirst, newSecond) => {
        const [oldFirst, oldSecond] = [sliceOf(source, ...first), sliceOf(source, ...second)]
        fc.pre(oldFirst !== '' && oldSecond !== '' && findChanges(source).length === 0)
        const one = applySuggestion(source, oldFirst, newFirst)
        fc.pre(one.outcome === 'applied')
        const both = applySuggestion(one.source, oldSecond, newSecond)
        fc.pre(both.outcome === 'applied')
        const found = findChanges(both.source).map(({ kind, text }) => `${kind}:${text}`)
        for (const change of [...one.changes, ...both.changes]) expect(found).toContain(`${change.kind}:${change.text}`)
        expect(found).toHaveLength(one.changes.length + both.changes.length)
        expect(rejectedView(both.source)).toBe(source)
      }),
      { numRuns: 100 },
    )
  })

  it('finds rendered text, and rejecting restores the bytes', () => {
    fc.assert(
      fc.property(anyMarkdown, place, (source, [from, length]) => {
        const oldText = sliceOf(source, from, length).replaceAll(/\s+/g, ' ').replaceAll('**', '')
        fc.pre(oldText.trim() !== '' && findChanges(source).length === 0)
        const outcome = applySuggestion(source, oldText, 'new')
        if (outcome.outcome === 'applied') expect(rejectedView(outcome.source)).toBe(source)
      }),
      { numRuns: 100 },
    )
  })
})

describe('resolving', () => {
  it('accepts or rejects one change and keeps the others', () => {
    const source = 'a {--b--}{++c++} {++d++}'
    const [deletion, insertion] = findChanges(source)
    expect(resolveChanges(source, [deletion!], 'accept')).toBe('a {++c++} {++d++}')
    expect(resolveChanges(source, [deletion!], 'reject')).toBe('a b{++c++} {++d++}')
    expect(resolveChanges(source, [insertion!], 'accept')).toBe('a {--b--}c {++d++}')
    expect(resolveChanges(source, [insertion!], 'reject')).toBe('a {--b--} {++d++}')
  })
})

describe('accepting', () => {
  it.each([
    ['x {++**a**++}{++**b**++}{++**c**++} y', 'x **abc** y'],
    ['{++*a*++}{++*b*++}', '*ab*'],
    ['{++~~a~~++}{++~~b~~++}', '~~ab~~'],
    ['{++**a**++}{++*b*++}', '**a***b*'],
    ['{++**a**++} {++**b**++}', '**a** **b**'],
    ['{++2**++}{++**3++}', '2****3'],
  ])('joins emphasized texts that stand beside each other: %s', (source, expected) => {
    expect(acceptedView(source)).toBe(expected)
    expect(resolveChanges(source, findChanges(source), 'accept')).toBe(expected)
  })
})

describe('carrying over', () => {
  it('keeps the ids of remaining changes, in order, and detects new ones', () => {
    const known = [
      { id: '1', kind: 'deletion' as const, text: 'a' },
      { id: '2', kind: 'insertion' as const, text: 'b' },
      { id: '3', kind: 'insertion' as const, text: 'b' },
      { id: '4', kind: 'insertion' as const, text: 'gone' },
    ]
    const carried = carryOver(known, 'x {++new++} {--a--} {++b++} y {++b++} {++b++}')
    expect(carried.map((change) => change.known?.id)).toEqual([undefined, '1', '2', '3', undefined])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findChanges, parseMarkdown, schema } from '../index.ts'
import { anyMarkdown, GFM_EXAMPLES, SPEC_EXAMPLES, spacedDocument } from '../markdown.factory.ts'
import { isCarried, joined, markdownIt, richHtml } from '../rich-html.factory.ts'

describe('the rich form', () => {
  it('renders every example of the specification correctly', () => {
    for (const { markdown, html, number } of SPEC_EXAMPLES) {
      const { doc } = parseMarkdown(markdown)
      doc.check()
      if (!isCarried(doc)) continue
      expect({ number, html: richHtml(doc) }).toEqual({ number, html })
    }
  })

  it('agrees with another markdown parser', () => {
    fc.assert(
      fc.property(spacedDocument, (source) => {
        const { doc } = parseMarkdown(source)
        fc.pre(!/\[\^1\]/.test(source) && isCarried(doc))
        expect(joined(richHtml(doc))).toBe(joined(markdownIt.render(source)))
      }),
      { numRuns: 150 },
    )
  })

  it('maps each block to the source, with only whitespace between blocks', () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        const { doc, blocks } = parseMarkdown(source)
        doc.check()
        expect(blocks).toHaveLength(doc.childCount)
        let pos = 0
        for (const { from, to } of blocks) {
          expect(source.slice(pos, from).trim()).toBe('')
          expect(to).toBeGreaterThan(from)
          pos = to
        }
        expect(source.slice(pos).trim()).toBe('')
      }),
      { numRuns: 150 },
    )
  })

  it('represents every GFM construct without an opaque block', () => {
    for (const source of GFM_EXAMPLES) {
      const names = parseMarkdown(source).doc.children.map((node) => node.type.name)
      expect(names).not.toContain('opaque_block')
    }
  })

  it.each([
    ['emphasis in emphasis of the same kind', '*a _b_ c*'],
    ['a link without text', '[](a)'],
    ['a row with more cells than its table', '|a|\n|-|\n|b|c|'],
  ])('keeps the markdown of %s', (_, source) => {
    const { doc } = parseMarkdown(source)
    expect(doc.childCount).toBe(1)
    expect(doc.firstChild!.type.name).toBe('opaque_block')
    expect(doc.firstChild!.attrs.source).toBe(source)
  })

  it('keeps the notation', () => {
    const { doc } = parseMarkdown('A\n=\n\n* a\n\n3) b\n\n~~~~ js x\nc\n~~~~\n\n[ref] __d__\n\n[ref]: /u\n')
    expect(doc.children.map((node) => node.attrs)).toMatchObject([
      { level: 1, style: 'setext' },
      { marker: '*', tight: true },
      { start: 3, delimiter: ')' },
      { info: 'js x', fence: '~', length: 4 },
      {},
      { source: '[ref]: /u' },
    ])
    const [link, , strong] = doc.child(4).children
    expect(link!.marks[0]!.attrs).toMatchObject({ href: '/u', style: 'shortcut' })
    expect(strong!.marks[0]!.attrs).toMatchObject({ delimiter: '_' })
  })
})

describe('pending changes', () => {
  it('are marks with an id on the text that they change', () => {
    const { doc } = parseMarkdown('- a **{--old--}{++new *x*++}** b', { changeIds: ['one', 'two'] })
    const marked = new Map<string, string>()
    doc.descendants((node) => {
      for (const { type, attrs } of node.marks)
        if (type === schema.marks.insertion || type === schema.marks.deletion)
          marked.set(`${type.name} ${attrs.id}`, (marked.get(`${type.name} ${attrs.id}`) ?? '') + node.text)
    })
    expect([...marked]).toEqual([
      ['deletion one', 'old'],
      ['insertion two', 'new x'],
    ])
  })

  it.each([
    ['a paragraph added in a quote', '> a{-- b--}\n>\n> {++b++}\n'],
    ['a paragraph added in an item', '- a\n\n  {++b++}\n\n- c\n'],
  ])('are marks where they are the whole text of a paragraph: %s', (_, source) => {
    expect(parseMarkdown(source).doc.firstChild!.type.name).not.toBe('opaque_block')
  })

  it.each([
    ['a replaced code block', 'a\n\n{--```\nb\n```--}{++```\nc\n```++}\n\nd'],
    ['a change over two blocks', 'x\n\na {--b\n\nc--} d\n\ny'],
    ['a change that makes a heading', 'x\n\n{--a--}{++# b++}\n\ny'],
  ])('keep their markdown when they change more than text: %s', (_, source) => {
    const { doc } = parseMarkdown(source)
    expect(findChanges(source).length).toBeGreaterThan(0)
    expect(doc.children.map((node) => node.type.name)).toContain('opaque_block')
    expect(doc.lastChild!.type.name).toBe('paragraph')
  })
})

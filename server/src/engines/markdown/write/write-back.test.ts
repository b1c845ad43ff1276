import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { describe, expect, it } from 'vitest'
import { parseMarkdown, rejectedView, schema, serializeBlock, writeBack } from '../index.ts'
import { anyMarkdown, GFM_EXAMPLES, markdownDocument } from '../markdown.factory.ts'
import { isCarried, joined, markdownIt, richHtml } from '../rich-html.factory.ts'
import { meaningOf } from './serialize.ts'

function edited(source: string, edit: (transform: Transform) => void): string {
  const parsed = parseMarkdown(source)
  const transform = new Transform(parsed.doc)
  edit(transform)
  return writeBack(source, parsed, transform.doc)
}

function typeText(transform: Transform, text: string, at: number): Transform {
  return transform.insert(at, schema.text(text, transform.doc.resolve(at).marks()))
}

function positionOf(doc: Node, text: string): number {
  let found = -1
  doc.descendants((node, pos) => {
    const at = node.text?.indexOf(text) ?? -1
    if (at >= 0 && found < 0) found = pos + at
  })
  return found
}

const p = (...text: string[]) =>
  schema.nodes.paragraph.create(
    null,
    text.map((each) => schema.text(each)),
  )

it('writes an unchanged document byte for byte', () => {
  fc.assert(
    fc.property(anyMarkdown, (source) => {
      const parsed = parseMarkdown(source)
      expect(writeBack(source, parsed, parseMarkdown(source).doc)).toBe(parsed.doc.childCount === 0 ? '' : source)
    }),
    { numRuns: 150 },
  )
})

it('writes every block so that it parses back to the same block', () => {
  fc.assert(
    fc.property(anyMarkdown, (source) => {
      const { doc, tree } = parseMarkdown(source)
      for (const node of doc.children) {
        const read = parseMarkdown(serializeBlock(node, tree), { within: tree }).doc
        expect(meaningOf(read.children)).toBe(meaningOf([node]))
      }
    }),
    { numRuns: 150, examples: [['```\n\n'], ['text\n~~~~ js\n\n'], ['<pre>\n\n']] },
  )
})

const typed = fc.constantFrom(
  'x',
  ' ',
  '*',
  '_',
  '`',
  '#',
  '- ',
  '1. ',
  '> ',
  '[a]',
  '<b>',
  '&amp;',
  '\\',
  '|',
  '{++a++}',
  '~~',
  'www.a.org',
  '+',
  '=',
  '!',
  '---',
)

describe('an edit of one block', () => {
  it('changes no other byte and has the meaning of the rich text, also for another parser', () => {
    fc.assert(
      fc.property(markdownDocument, fc.nat(), fc.nat(), typed, (source, which, where, text) => {
        const parsed = parseMarkdown(source)
        fc.pre(parsed.doc.childCount > 0)
        const index = which % parsed.doc.childCount
        const places = textPlaces(parsed.doc, index)
        fc.pre(places.length > 0)
        const transform = new Transform(parsed.doc)
        typeText(transform, text, places[where % places.length]!)
        const result = writeBack(source, parsed, transform.doc)

        const { blocks } = parsed
        expect(result.startsWith(source.slice(0, blocks[index - 1]?.to ?? blocks[0]!.from))).toBe(true)
        expect(result.endsWith(source.slice(blocks[index + 1]?.from ?? blocks.at(-1)!.to))).toBe(true)
        expect(meaningOf(parseMarkdown(result).doc.children)).toBe(meaningOf(transform.doc.children))
        const agreed = joined(markdownIt.render(source)) === joined(richHtml(parsed.doc))
        if (agreed && isCarried(transform.doc))
          expect(joined(markdownIt.render(result))).toBe(joined(richHtml(transform.doc)))
      }),
      { numRuns: 150 },
    )
  })
})

/** Returns the positions in the block where a user can type. */
function textPlaces(doc: Node, index: number): number[] {
  const places: number[] = []
  doc.forEach((block, offset, at) => {
    if (at !== index) return
    doc.nodesBetween(offset, offset + block.nodeSize, (node, pos) => {
      if (node.isText && !node.marks.some(({ type }) => type.name === 'link' || type.name === 'code'))
        for (let inside = 0; inside <= node.nodeSize; inside++)
          if (isWhole(node.text!, inside)) places.push(pos + inside)
    })
  })
  return places
}

function isWhole(text: string, at: number): boolean {
  return text.slice(0, at).isWellFormed()
}

describe('writing back', () => {
  it('rewrites only the paragraph that was edited', () => {
    const source = '# A  #\n* b\n* c\n\n\nhello   world\n***\n| x |\n|---|\n'
    const result = edited(source, (transform) => typeText(transform, 'big ', positionOf(transform.doc, 'world')))
    expect(result).toBe('# A  #\n* b\n* c\n\n\nhello   big world\n***\n| x |\n|---|\n')
  })

  it('keeps the line endings of the document', () => {
    const result = edited('a\r\n\r\nb\r\n', (transform) => transform.insert(transform.doc.content.size, p('c')))
    expect(result).toBe('a\r\n\r\nb\r\n\r\nc\r\n')
  })

  it('adds, removes and moves blocks without touching the others', () => {
    const source = 'a\n\n*  b\n\n\n```\nc\n```\nd\n'
    const parsed = parseMarkdown(source)
    const [a, b, c, d] = parsed.doc.children
    const write = (...nodes: Node[]) => writeBack(source, parsed, schema.nodes.doc.create(null, nodes))
    expect(write(a!, p('new'), b!, c!, d!)).toBe('a\n\nnew\n\n*  b\n\n\n```\nc\n```\nd\n')
    expect(write(a!, c!, d!)).toBe('a\n\n```\nc\n```\nd\n')
    expect(write(d!, a!, b!, c!)).toBe('d\n\na\n\n*  b\n\n\n```\nc\n```\n')
    expect(write()).toBe('')
  })

  it('separates two lists that become neighbours', () => {
    const source = '- a\n\nx\n\n- b\n'
    const parsed = parseMarkdown(source)
    const [a, , b] = parsed.doc.children
    const result = writeBack(source, parsed, schema.nodes.doc.create(null, [a!, b!]))
    expect(result).toBe('- a\n\n<!-- -->\n\n- b\n')
    const twice = writeBack('', parseMarkdown(''), schema.nodes.doc.create(null, [a!, b!]))
    expect(twice).toBe('- a\n\n* b\n')
  })

  it('does not merge an edited block with its neighbour', () => {
    const result = edited('# a\nb\n', (transform) => transform.setNodeMarkup(0, schema.nodes.paragraph))
    expect(result).toBe('a\n\nb\n')
  })

  it('keeps the numbers of a list in which an item is suggested, and the space around suggested blocks', () => {
    const added = (text: string) => schema.text(text, [schema.marks.insertion.create({ id: text })])
    const line = (text: string) => schema.nodes.paragraph.create(null, added(text))
    const source = '1. a\n2. b\n\n\n\nend\n'
    const result = edited(source, (transform) => {
      transform.insert(transform.doc.child(0).nodeSize, line('new'))
      transform.insert(positionOf(transform.doc, 'b') - 2, schema.nodes.list_item.create(null, line('x')))
    })
    expect(result).toBe('1. a\n2. {++x++}\n2. b\n\n{++new++}\n\n\n\nend\n')
    expect(rejectedView(result)).toBe(source)
  })

  it.each([
    '1. a\n1. b\n1. word\n',
    '*  a \n*  word\n',
    'A \\_word\\_ &amp; __b__\\! word\n',
    '|a|b|\n|-|:-:|\n|word|2|\n',
    '> a\nlazy word\n',
    'Title word\n===\n',
    'ends with word \n',
  ])('gives the bytes of %j back if a suggestion in it is rejected', (source) => {
    const result = edited(source, (transform) => {
      const at = positionOf(transform.doc, 'word')
      transform.addMark(at, at + 4, schema.marks.deletion.create({ id: 'd' }))
      transform.insert(at + 4, schema.text('new', [schema.marks.insertion.create({ id: 'i' })]))
    })
    expect(result).toContain('{++new++}')
    expect(rejectedView(result)).toBe(source)
  })

  it('keeps bold text whole around a suggestion inside it, with spaces at its edges', () => {
    const source = 'a **bold of words**\n'
    const result = edited(source, (transform) => {
      const at = positionOf(transform.doc, ' of')
      const strong = schema.marks.strong.create()
      transform.insert(at, schema.text(' and', [schema.marks.insertion.create({ id: 'i' }), strong]))
    })
    expect(result).toBe('a **bold{++ and++} of words**\n')
    expect(rejectedView(result)).toBe(source)
  })

  it('gives the bytes from before back if a suggestion is withdrawn', () => {
    const source = '*  a\n*  wo{++x++}rd\n'
    const result = edited(source, (transform) => {
      const at = positionOf(transform.doc, 'x')
      transform.delete(at, at + 1)
    })
    expect(result).toBe('*  a\n*  word\n')
  })

  it('writes emphasis in two suggestions next to each other without character references', () => {
    const strong = schema.marks.strong.create()
    const added = (text: string, id: string) => schema.text(text, [schema.marks.insertion.create({ id }), strong])
    const paragraph = schema.nodes.paragraph.create(null, [added('one', 'a'), added(' two', 'b')])
    expect(serializeBlock(paragraph)).toBe('{++**one**++}{++ **two**++}')
  })

  it('writes several paragraphs in an item of a tight list apart', () => {
    const result = edited('- a\n- b\n', (transform) => {
      const more = schema.nodes.paragraph.create(null, schema.text('more'))
      transform.insert(positionOf(transform.doc, 'a') + 2, more)
    })
    expect(result).toBe('- a\n\n  more\n\n- b\n')
  })

  it.each([
    'order_id, R&D and a <= b',
    'call foo_bar_baz(x, y) in src/a_b/c_d.ts',
    'see https://example.org/a_b?c=d&e=(f), www.example.org or me@example.org!',
    '5*3 = 15, ~10 %, [x] {y} #tag @me C:\\temp',
    '= total | sum',
  ])('escapes nothing in %j', (text) => {
    expect(serializeBlock(schema.nodes.paragraph.create(null, schema.text(text)))).toBe(text)
  })

  it.each([
    ['*a* and order_id', 1],
    ['# no heading, but order_id', 1],
    ['1. no list, but R&D', 1],
    ['[a](b) for order_id <= 3', 1],
    ['<b> and snake_case and https://example.org/a_b', 1],
    ['&copy; is a sign', 1],
    ['T<String>, not a < b', 1],
    ['2*3*4 and snake_case_name', 1],
    ['{++a++} and {--b--}, order_id', 2],
  ])('escapes only what would mean something in %j', (text, count) => {
    const paragraph = schema.nodes.paragraph.create(null, schema.text(text))
    const written = serializeBlock(paragraph)
    expect(written.split('\\').length - 1).toBe(count)
    expect(parseMarkdown(written).doc.textContent).toBe(text)
  })

  it('escapes a very long text in time that does not grow with what it escapes', () => {
    const text = '*a* order_id '.repeat(20_000)
    const written = serializeBlock(schema.nodes.paragraph.create(null, schema.text(`${text}end`)))
    expect(parseMarkdown(written).doc.textContent).toBe(`${text}end`)
  })

  it('writes tracked changes as CriticMarkup', () => {
    const result = edited('one two three\n', (transform) => {
      const at = positionOf(transform.doc, 'two')
      transform.addMark(at, at + 3, schema.marks.deletion.create({ id: 'd' }))
      transform.insert(at + 3, schema.text('2', [schema.marks.insertion.create({ id: 'i' })]))
    })
    expect(result).toBe('one {--two--}{++2++} three\n')
  })

  it.each(GFM_EXAMPLES)('survives an edit of each block: %j', (source) => {
    const { doc } = parseMarkdown(source)
    doc.forEach((_block, _offset, index) => {
      const place = textPlaces(doc, index)[0]
      if (place === undefined) return
      const parsed = parseMarkdown(source)
      const transform = typeText(new Transform(parsed.doc), 'Z', place)
      const result = writeBack(source, parsed, transform.doc)
      expect(meaningOf(parseMarkdown(result).doc.children)).toBe(meaningOf(transform.doc.children))
    })
  })
})

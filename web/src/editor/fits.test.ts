import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { fitsEditor } from './fits.ts'

const documentOf = (...texts: string[]) => {
  const shared = new Y.Doc()
  const blocks = texts.map((text) => {
    const block = new Y.XmlElement('paragraph')
    block.insert(0, [new Y.XmlText(text)])
    return block
  })
  shared.getXmlFragment('default').insert(0, blocks)
  return { shared, first: blocks[0]!.get(0) as Y.XmlText }
}

test('a long text of short paragraphs fits the editor, and one with a huge paragraph does not', () => {
  expect(fitsEditor(documentOf(...Array.from({ length: 2_000 }, () => 'x'.repeat(1_000))))).toBe(true)
  expect(fitsEditor(documentOf('x'.repeat(100_001)))).toBe(false)
})

test('a paragraph is measured with all that was typed into it, and without what was deleted', () => {
  const { shared, first } = documentOf('x'.repeat(60_000))
  first.insert(30_000, 'y'.repeat(60_000))
  expect(fitsEditor({ shared })).toBe(false)
  first.delete(0, 60_000)
  expect(fitsEditor({ shared })).toBe(true)
})

import { expect, test, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { writeWord } from './word.ts'

vi.stubGlobal('location', { origin: 'https://slipway.example', href: 'https://slipway.example/p/1' })

/** The files in the archive that Word reads. */
async function filesOf(markdown: string): Promise<Map<string, string>> {
  const blob = await writeWord('Refunds & <more>', markdown)
  const zip = await fromBufferPromise(Buffer.from(await blob.arrayBuffer()))
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    files.set(entry.fileName, Buffer.concat(chunks).toString())
  }
  return files
}

const textOf = async (markdown: string) => (await filesOf(markdown)).get('word/document.xml')!
/** The words of each paragraph. */
const linesOf = (xml: string) =>
  [...xml.matchAll(/<w:p>.*?<\/w:p>|<w:p\/>/gs)].map(([line]) =>
    [...line.matchAll(/<w:(?:t|delText)[^>]*>([^<]*)</g)].map(([, text]) => text).join(''),
  )

test('a document of Word has the title, the headings, the lines and their marks', async () => {
  const xml = await textOf('## Why\n\nSome **bold**, *slanted* and `code`.\n\n> quoted\n\n```js\na\nb\n```\n')
  expect(linesOf(xml)).toEqual(['Refunds &amp; &lt;more&gt;', 'Why', 'Some bold, slanted and code.', 'quoted', 'ab'])
  expect(xml).toContain('<w:pStyle w:val="Heading2"/>')
  expect(xml).toMatch(/<w:b\/>(?:(?!<w:t).)*<w:t[^>]*>bold</s)
  expect(xml).toMatch(/<w:i\/>(?:(?!<w:t).)*<w:t[^>]*>slanted</s)
  expect(xml).toMatch(/Consolas(?:(?!<w:t).)*<w:t[^>]*>code</s)
})

test('lists count for themselves, items nest, and tasks have a box', async () => {
  const files = await filesOf('3. a\n   - b\n\ntext\n\n1. c\n\n- [x] done\n- [ ] open\n')
  const xml = files.get('word/document.xml')!
  expect(linesOf(xml).slice(1)).toEqual(['a', 'b', 'text', 'c', '☑ done', '☐ open'])
  expect([...xml.matchAll(/<w:ilvl w:val="(\d)"/g)].map(([, level]) => level)).toEqual(['0', '1', '0', '0', '0'])
  expect(new Set([...xml.matchAll(/<w:numId w:val="(\d+)"/g)].map(([, id]) => id)).size).toBe(4)
  expect(files.get('word/numbering.xml')).toContain('<w:start w:val="3"/>')
})

test('tables, links and pending suggestions are those of Word', async () => {
  const files = await filesOf('| a | b |\n| --- | --: |\n| 1 | [two](/p/2) |\n\nIn {--ten--}{++five++} days.\n')
  const xml = files.get('word/document.xml')!
  expect(xml.match(/<w:tr>/g)).toHaveLength(2)
  expect(xml).toContain('<w:jc w:val="right"/>')
  expect(files.get('word/_rels/document.xml.rels')).toContain('https://slipway.example/p/2')
  expect(xml).toMatch(/<w:del [^>]*>.*<w:delText[^>]*>ten</s)
  expect(xml).toMatch(/<w:ins [^>]*>.*<w:t[^>]*>five</s)
})

test('what Word has no form for stays its source', async () => {
  const xml = await textOf('<details>\n\n![a chart](https://other.example/x.png)\n\n---\n\n```mermaid\ngraph\n```\n')
  expect(linesOf(xml).slice(1)).toEqual(['&lt;details&gt;', '[a chart]', '', 'graph'])
})

import { createElement, isValidElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { tickTask } from '../lib/tasks.ts'
import { buildMarkdown, Markdown } from './Markdown.tsx'

vi.stubGlobal('location', { origin: 'https://slipway.example' })

/** The markup of a text, without the box around it and without classes. */
const shown = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { text }))
    .replace(/^<div[^>]*>|<\/div>$/g, '')
    .replace(/ class="[^"]*"/g, '')

describe('markdown on the screen', () => {
  test.for([
    ['A *b* **c** ~~d~~ `e`', '<p>A <em>b</em> <strong>c</strong> <s>d</s> <code>e</code></p>'],
    ['## T\n\n> q', '<h2>T</h2><blockquote><p>q</p></blockquote>'],
    ['- a\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
    ['3. a', '<ol start="3"><li><p>a</p></li></ol>'],
    ['```js\nx < 1\n```', '<pre><code>x &lt; 1\n</code></pre>'],
    ['a\\\nb\nc', '<p>a<br/>b\nc</p>'],
    ['---', '<hr/>'],
    [
      '|a|b|\n|-|-|\n|1|2|3|',
      '<table tabindex="0"><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    ],
    [
      '|a|b|\n|:-:|-:|\n|1|2|',
      '<table tabindex="0"><thead><tr><th data-align="center">a</th><th data-align="right">b</th></tr></thead>' +
        '<tbody><tr><td data-align="center">1</td><td data-align="right">2</td></tr></tbody></table>',
    ],
    ['![a *b*](x.png) ![](//other.example/y.png)', '<p><em>a b</em> <em>image</em></p>'],
    ['![a *b*](/v2/a/content)', '<p><img src="/v2/a/content" alt="a b" loading="lazy"/></p>'],
    [
      '![a|320](/v2/a/content "C")',
      '<p><span><img src="/v2/a/content" alt="a" width="320" loading="lazy"/><small>C</small></span></p>',
    ],
    [
      '> [!WARNING]\n> Hot *now*.\n>\n> b',
      '<blockquote data-callout="warning"><strong>warning</strong><p>Hot <em>now</em>.</p><p>b</p></blockquote>',
    ],
    ['> [!OTHER]\n> a', '<blockquote><p>[!OTHER]\na</p></blockquote>'],
    [
      '<details>\n<summary>S <b></summary>\n\n**a**\n\n<details open>\n\nb\n\n</details>\n\n</details>\n\nc',
      '<details><summary>S &lt;b&gt;</summary><p><strong>a</strong></p><details open=""><summary>Details</summary><p>b</p></details></details><p>c</p>',
    ],
    ['<details><summary>S</summary>\na\n</details>', '<details><summary>S</summary><p>a</p></details>'],
    ['<details>\n\na', '<p>&lt;details&gt;</p><p>a</p>'],
    ['[^1] and\n\n[^1]: note', '<p>[^1] and</p><div>[^1]: <p>note</p></div>'],
  ])('shows %j', ([text, markup]) => {
    expect(shown(text!)).toBe(markup)
  })

  test('shows suggested changes with the formatting in them', () => {
    expect(shown('It takes {--*ten*--}{++five++} days, `{++no++}`.')).toBe(
      '<p>It takes <del><em>ten</em></del><ins>five</ins> days, <code>{++no++}</code>.</p>',
    )
    expect(shown('- {++a++}\n- b\n- {--c--}\n\n|x|\n|-|\n|{++y++}|')).toBe(
      '<ul><li><p><ins>a</ins></p></li><li><p>b</p></li><li><p><del>c</del></p></li></ul>' +
        '<table tabindex="0"><thead><tr><th>x</th></tr></thead><tbody><tr><td><ins>y</ins></td></tr></tbody></table>',
    )
  })

  test('shows markup as text, and links only to safe addresses', () => {
    expect(shown('<b onclick="x">B</b>')).toBe('<p>&lt;b onclick=&quot;x&quot;&gt;B&lt;/b&gt;</p>')
    expect(shown('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
    expect(shown('[a](javascript:alert)')).toBe('<p><a>a</a></p>')
    expect(shown('[a](/p/1) https://slipway.example/x https://other.example')).toBe(
      '<p><a href="/p/1">a</a> <a href="https://slipway.example/x">https://slipway.example/x</a> ' +
        '<a href="https://other.example" target="_blank" rel="noreferrer">https://other.example</a></p>',
    )
  })

  test('ticks the box that was clicked, also below a box in code or in a quotation', () => {
    const text = '```\n- [ ] code\n```\n\n> - [x] quoted\n\n- [ ] *real*\n'
    const ticked: string[] = []
    const boxes = findBoxes(buildMarkdown(text, { onTick: (at) => ticked.push(tickTask(text, at)) }))
    for (const box of boxes) box.onChange()
    expect(ticked).toEqual([text.replace('[x] quoted', '[ ] quoted'), text.replace('[ ] *real*', '[x] *real*')])
  })
})

function findBoxes(node: ReactNode): { onChange(): void }[] {
  if (Array.isArray(node)) return node.flatMap(findBoxes)
  if (!isValidElement<{ children?: ReactNode; onChange(): void }>(node)) return []
  return node.type === 'input' ? [node.props] : findBoxes(node.props.children)
}

test('blocks name their places in the text on request, also in details, lists and callouts', () => {
  const text = '[a]: /a\n\nOne\n\n<details>\n\nTwo\n\n</details>\n\n- Three\n\n> [!NOTE]\n> Four\n\n```\nFive\n```\n'
  const html = renderToStaticMarkup(createElement('div', {}, ...buildMarkdown(text, { isPlaced: true })))
  const places = [...html.matchAll(/<(\w+)[^>]* data-from="(\d+)"/g)].map(([, name, from]) => [
    name,
    text.slice(Number(from)).split('\n', 1)[0],
  ])
  expect(places).toEqual([
    ['p', 'One'],
    ['details', '<details>'],
    ['p', 'Two'],
    ['ul', '- Three'],
    ['p', 'Three'],
    ['blockquote', '> [!NOTE]'],
    ['pre', '```'],
  ])
  expect(renderToStaticMarkup(createElement('div', {}, ...buildMarkdown(text)))).not.toContain('data-from')
})

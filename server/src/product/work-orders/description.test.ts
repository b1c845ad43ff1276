import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from './work-order.factory.ts'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const describeOrder = (id: string, body: unknown) => api.patch(`/work_orders/${id}/description`, body)

describe('writing the description', () => {
  it('overwrites all of it and nothing else', async () => {
    const { id } = await createWorkOrder(api, {
      title: 'Kept',
      status: 'blocked',
      markdown_content: '# Old\n\nFirst.\n\nSecond.',
      implementation_plan: { files: [], markdown_content: 'Plan' },
    })
    const before = (await api.get(`/work_orders/${id}`)).body.data
    const { status, body } = await describeOrder(id, { markdown_content: '# New\n' })
    expect(status).toBe(200)
    const { updated_at, ...rest } = body.data
    expect(rest).toEqual({
      ...before,
      updated_at: undefined,
      markdown_content: '# New\n',
      description_snippet: 'New',
    })
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect((await api.get(`/work_orders/${id}`)).body).toEqual(body)
  })

  it('moves updated_at with every change, however fast', async () => {
    const { id } = await createWorkOrder(api)
    const times: string[] = []
    for (const text of ['one', 'two', 'three', 'four', 'five'])
      times.push((await describeOrder(id, { markdown_content: text })).body.data.updated_at)
    expect(new Set(times).size).toBe(5)
    expect([...times].sort()).toEqual(times)
  })

  it('takes an empty text', async () => {
    const { id } = await createWorkOrder(api, { markdown_content: 'Something' })
    const { status, body } = await describeOrder(id, { markdown_content: '' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ markdown_content: '', description_snippet: '' })
  })

  it.each([
    ['tab\tLF\nCR\r\n'],
    [' leading and trailing \n\n'],
    ['emoji 👩‍👩‍👧, Ω, עברית, 日本語, \u2028'],
    ['<script>alert(1)</script> & "quotes" \\ {{x}} $1 %s'],
    ['null'],
  ])('keeps %j as it is', async (text) => {
    const { id } = await createWorkOrder(api)
    await describeOrder(id, { markdown_content: text })
    expect((await api.get(`/work_orders/${id}`)).body.data.markdown_content).toBe(text)
  })

  it.each([
    ['a missing text', {}],
    ['null', { markdown_content: null }],
    ['a number', { markdown_content: 5 }],
    ['a boolean', { markdown_content: true }],
    ['a list', { markdown_content: ['text'] }],
    ['an object', { markdown_content: { text: 'x' } }],
    ['NUL', { markdown_content: 'a\u0000b' }],
    ['BEL', { markdown_content: '\u0007' }],
    ['ESC', { markdown_content: '\u001b[31m' }],
    ['DEL', { markdown_content: '\u007f' }],
    ['CSI', { markdown_content: '\u009b31m' }],
    ['a lone surrogate', { markdown_content: '\ud800' }],
    ['2,000,001 characters', { markdown_content: 'x'.repeat(2_000_001) }],
  ])('refuses %s and changes nothing', async (_, body) => {
    const { id } = await createWorkOrder(api, { markdown_content: 'Before' })
    const before = await api.get(`/work_orders/${id}`)
    const answer = await describeOrder(id, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].pointer).toBe('/markdown_content')
    expect((await api.get(`/work_orders/${id}`)).body).toEqual(before.body)
  })

  it('takes 2,000,000 characters, also when each needs four bytes', async () => {
    const { id } = await createWorkOrder(api)
    for (const text of ['x'.repeat(2_000_000), '😀'.repeat(2_000_000)])
      expect((await describeOrder(id, { markdown_content: text })).status).toBe(200)
  })

  it('ignores unknown fields beside the text and names them', async () => {
    const { id } = await createWorkOrder(api, { title: 'Kept' })
    const { status, headers, body } = await describeOrder(id, { markdown_content: 'New', title: 'Other' })
    expect(status).toBe(200)
    expect(headers['x-ignored-fields']).toBe('title')
    expect(body.data.title).toBe('Kept')
  })

  it('refuses only unknown fields and names the known one', async () => {
    const { id } = await createWorkOrder(api)
    const { status, body } = await describeOrder(id, { description: 'New' })
    expect(status).toBe(422)
    expect(body.detail).toContain('markdown_content')
  })

  it('is 404 for an id that never was, and 422 first for a bad body', async () => {
    const never = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
    expect((await describeOrder(never, { markdown_content: 'x' })).status).toBe(404)
    expect((await describeOrder(never, {})).status).toBe(422)
    expect((await describeOrder('abc', { markdown_content: 'x' })).status).toBe(422)
  })
})

describe('the snippet', () => {
  const snippetOf = async (markdown: string) => {
    const { id } = await createWorkOrder(api, { markdown_content: markdown })
    const detail = (await api.get(`/work_orders/${id}`)).body.data.description_snippet
    return detail as string
  }

  it.each([
    ['# Title\n\nA **bold** and _slanted_ `word`.', 'Title A bold and slanted word.'],
    ['- one\n- two\n\n1. three', 'one two three'],
    ['See [the page](https://example.org/a?b=c).', 'See the page.'],
    ['> quoted\n> lines', 'quoted lines'],
    ['line\nline\\\nline', 'line line line'],
    ['~~gone~~ &amp; <b>kept</b>', 'gone & kept'],
    ['a \\* b', 'a * b'],
    ['<details>\n<summary>Steps</summary>\n\nOpen the cart.\n\n</details>', 'Steps Open the cart.'],
    ['<div>one</div>\n<!-- not\nthis -->\n<style>p { color: red }</style>\n<p>two</p>', 'one two'],
    ['   \n\n\t', ''],
  ])('of %j is plain text', async (markdown, expected) => {
    expect(await snippetOf(markdown)).toBe(expected)
  })

  it('keeps 200 characters as they are', async () => {
    expect(await snippetOf('x'.repeat(200))).toBe('x'.repeat(200))
  })

  it('is cut at 200 characters, the ellipsis counted', async () => {
    expect(await snippetOf('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`)
  })

  it('never cuts a character in two', async () => {
    const snippet = await snippetOf('😀'.repeat(300))
    expect(snippet).toBe(`${'😀'.repeat(199)}…`)
  })

  it('is never longer than 200 characters where it is cut between words', async () => {
    const snippet = await snippetOf('word '.repeat(100))
    expect(snippet.length).toBeLessThanOrEqual(200)
    expect(snippet).toMatch(/^(word )+word…$/)
  })

  it('shows the words after a large embedded picture, never its source', async () => {
    const picture = `![](data:image/png;base64,${'iVBORw0KGgo'.repeat(2_000)})`
    expect(await snippetOf(`${picture}\n\nThe total is wrong.`)).toBe('The total is wrong.')
  })

  it('is the same in the list', async () => {
    const { admin } = await ws.project()
    await createWorkOrder(admin.api, { markdown_content: '**Bold** start' })
    expect((await admin.api.get('/work_orders')).body.items[0].description_snippet).toBe('Bold start')
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createDocument, KIND_OF_TEXTS, NEVER, UUID } from '../document.factory.ts'

let ws: Workspace
let admin: Member
let editor: Member
beforeAll(async () => {
  ws = await openWorkspace()
  const project = await ws.project()
  admin = project.admin
  editor = await project.join('editor')
})
afterAll(() => ws.close())

interface Item {
  id: string
  kind: string
  text: string
  created_by_name: string
}

describe.each(KIND_OF_TEXTS)('a suggestion on %s', (_, kind) => {
  const { path } = kind
  const setUp = async (markdown_content = 'The old way.\n\nStays.\n') => {
    const { api } = admin
    const { id } = await createDocument(api, kind, { markdown_content })
    const one = `${path}/${id}`
    const suggest = (body: unknown, by = admin) => by.api.post(`${one}/apply_suggestion`, body)
    const pending = async () => (await api.get(`${one}/suggestions`)).body.items as Item[]
    const content = async (view = 'inline') =>
      (await api.get(`${one}?suggestions=${view}`)).body.data.markdown_content as string
    const unchanged = async () => {
      const { data } = (await api.get(one)).body
      expect([data.markdown_content, data.version_number]).toEqual([markdown_content, 1])
    }
    return { api, one, suggest, pending, content, unchanged }
  }

  it('is applied as a deletion and an insertion, each with an id', async () => {
    const { one, api, suggest, pending, content } = await setUp()
    const { status, body } = await suggest({ old_text: 'old', new_text: 'new' })
    expect(status).toBe(200)
    expect(body).toEqual({ data: { status: 'applied', change_ids: expect.any(Array) } })
    expect(body.data.change_ids).toHaveLength(2)
    for (const id of body.data.change_ids) expect(id).toMatch(UUID)
    expect(await content()).toBe('The {--old--}{++new++} way.\n\nStays.\n')
    const items = await pending()
    expect(items).toEqual([
      {
        object: 'suggestion',
        id: body.data.change_ids[0],
        kind: 'deletion',
        text: 'old',
        created_at: expect.stringMatching(/Z$/),
        created_by_name: admin.name,
      },
      expect.objectContaining({ id: body.data.change_ids[1], kind: 'insertion', text: 'new' }),
    ])
    expect((await api.get(one)).body.data.version_number).toBe(2)
    const { items: versions } = (await api.get(`${one}/versions`)).body
    expect(versions[0]).toMatchObject({ version_number: 2, attribution: { user_id: admin.userId } })
  })

  it('that only deletes has one id, and so does one that fills an empty document', async () => {
    const { suggest, pending, content } = await setUp('keep drop\n')
    expect((await suggest({ old_text: ' drop', new_text: '' })).body.data.change_ids).toHaveLength(1)
    expect(await content()).toBe('keep{-- drop--}\n')
    expect(await pending()).toMatchObject([{ kind: 'deletion', text: ' drop' }])
    const empty = await setUp('')
    expect((await empty.suggest({ old_text: '', new_text: '# All\n' })).body.data.change_ids).toHaveLength(1)
    expect(await empty.content('accepted')).toBe('# All\n')
    expect(await empty.content('rejected')).toBe('')
  })

  it('for text that does not occur is 409 text_not_found', async () => {
    const { suggest, unchanged } = await setUp()
    const { status, body } = await suggest({ old_text: 'nowhere', new_text: 'x' })
    expect([status, body.code]).toEqual([409, 'text_not_found'])
    expect(body.detail).toContain('"nowhere"')
    await unchanged()
  })

  it('for text that occurs more than once is 409 text_ambiguous with the count', async () => {
    const { suggest, unchanged } = await setUp('a cat, a cat\n\na cat\n')
    const { status, body } = await suggest({ old_text: 'cat', new_text: 'dog' })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'text_ambiguous', count: 3 })
    expect(body.detail).toContain('3')
    await unchanged()
  })

  it('with replace_all changes every occurrence', async () => {
    const { suggest, pending, content } = await setUp('a cat, a cat\n\na cat\n')
    const { body } = await suggest({ old_text: 'cat', new_text: 'dog', replace_all: true })
    expect(body.data.change_ids).toHaveLength(6)
    expect((await pending()).map((item) => item.id)).toEqual(body.data.change_ids)
    expect(await content('accepted')).toBe('a dog, a dog\n\na dog\n')
    expect(await content('rejected')).toBe('a cat, a cat\n\na cat\n')
  })

  it('with replace_all needs at least one occurrence', async () => {
    const { suggest } = await setUp('a cat\n')
    expect((await suggest({ old_text: 'dog', new_text: 'x', replace_all: true })).body.code).toBe('text_not_found')
    expect((await suggest({ old_text: 'cat', new_text: 'dog', replace_all: true })).status).toBe(200)
  })

  it('with an empty old_text is refused unless the document is empty', async () => {
    const { suggest, unchanged } = await setUp()
    const { status, body } = await suggest({ old_text: '', new_text: 'x' })
    expect([status, body.errors[0].pointer]).toEqual([422, '/old_text'])
    await unchanged()
  })

  it.each([
    ['old_text missing', { new_text: 'a' }, '/old_text'],
    ['new_text missing', { old_text: 'old' }, '/new_text'],
    ['new_text null', { old_text: 'old', new_text: null }, '/new_text'],
    ['old_text a number', { old_text: 1, new_text: 'a' }, '/old_text'],
    ['replace_all as text', { old_text: 'old', new_text: 'a', replace_all: 'yes' }, '/replace_all'],
    ['new_text too long', { old_text: 'old', new_text: 'x'.repeat(2_000_001) }, '/new_text'],
  ])('with %s is refused', async (_, body, pointer) => {
    const { suggest, unchanged } = await setUp()
    const answer = await suggest(body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].pointer).toBe(pointer)
    await unchanged()
  })

  it('that makes the document too long is refused', async () => {
    const { suggest, unchanged } = await setUp(`${'cat '.repeat(100)}\n`)
    const all = { old_text: 'cat', new_text: 'x'.repeat(50_000), replace_all: true }
    const { status, body } = await suggest(all)
    expect([status, body.errors[0].pointer]).toEqual([422, '/new_text'])
    await unchanged()
    const long = await setUp(`cat ${'x'.repeat(1_999_990)}\n`)
    expect((await long.suggest({ old_text: 'cat', new_text: 'dog' })).status).toBe(422)
    await long.unchanged()
  })

  it('elsewhere leaves earlier ones pending, in the order of the text', async () => {
    const { suggest, pending, content } = await setUp('one two three\n')
    const later = (await suggest({ old_text: 'three', new_text: '3' })).body.data.change_ids
    const earlier = (await suggest({ old_text: 'one', new_text: '1' }, editor)).body.data.change_ids
    expect(await content()).toBe('{--one--}{++1++} two {--three--}{++3++}\n')
    const items = await pending()
    expect(items.map((item) => item.id)).toEqual([...earlier, ...later])
    expect(items.map((item) => item.created_by_name)).toEqual([editor.name, editor.name, admin.name, admin.name])
  })

  it('with the same text as a pending one gets its own ids, and each keeps its author', async () => {
    const { api, one, suggest, pending } = await setUp('a cat\n')
    const theirs = (await suggest({ old_text: 'cat', new_text: 'dog' })).body.data.change_ids
    const { data } = (await api.get(one)).body
    await api.patch(one, { markdown_content: `first cat\n\n${data.markdown_content}` })
    const mine = (await suggest({ old_text: 'cat', new_text: 'dog' }, editor)).body.data.change_ids
    const items = await pending()
    expect(items.map((item) => item.id)).toEqual([...mine, ...theirs])
    expect(items.map((item) => item.created_by_name)).toEqual([editor.name, editor.name, admin.name, admin.name])
    await api.post(`${one}/suggestions/${mine[0]}/accept`)
    await api.post(`${one}/suggestions/${mine[1]}/accept`)
    expect((await api.get(one)).body.data.markdown_content).toBe('first dog\n\na {--cat--}{++dog++}\n')
  })

  it('that overlaps a pending one is 409', async () => {
    const { suggest, content } = await setUp('one two three\n')
    await suggest({ old_text: 'two', new_text: '2' })
    for (const old_text of ['two', 'one two', 'wo thr', 'one two three']) {
      const { status, body } = await suggest({ old_text, new_text: 'x' })
      expect(status).toBe(409)
      expect(body.detail).toMatch(/pending/)
    }
    expect(await content()).toBe('one {--two--}{++2++} three\n')
  })

  it('matches text across formatting and blocks, and rejecting it restores every byte', async () => {
    const source = 'A **bold** and\r\n*slanted* text.\r\n\r\n- item one\r\n- item two\r\n'
    const { api, one, suggest, content } = await setUp(source)
    expect((await suggest({ old_text: 'bold and slanted', new_text: 'plain' })).status).toBe(200)
    expect((await suggest({ old_text: '- item one\r\n- item two', new_text: '- item' })).status).toBe(200)
    expect(await content('rejected')).toBe(source)
    expect((await api.post(`${one}/suggestions/reject_all`)).body.data.markdown_content).toBe(source)
  })

  it('in code can be accepted as the replaced text', async () => {
    const { suggest, content } = await setUp('a\n\n```js\nold()\n```\n\nb\n')
    expect((await suggest({ old_text: 'old()', new_text: 'new()' })).status).toBe(200)
    expect(await content('accepted')).toBe('a\n\n```js\nnew()\n```\n\nb\n')
    expect(await content('rejected')).toBe('a\n\n```js\nold()\n```\n\nb\n')
  })

  it('is applied once for one Idempotency-Key', async () => {
    const { api, one, pending } = await setUp()
    const send = () =>
      api.post(`${one}/apply_suggestion`, { old_text: 'old', new_text: 'new' }, { 'idempotency-key': one })
    const [first, again] = [await send(), await send()]
    expect(again.body).toEqual(first.body)
    expect(await pending()).toHaveLength(2)
  })

  it('respects If-Match', async () => {
    const { api, one, unchanged } = await setUp()
    const body = { old_text: 'old', new_text: 'new' }
    const late = await api.post(`${one}/apply_suggestion`, body, { 'if-match': '"old"' })
    expect(late.status).toBe(412)
    await unchanged()
    const { headers } = await api.get(one)
    expect((await api.post(`${one}/apply_suggestion`, body, { 'if-match': headers.etag! })).status).toBe(200)
  })

  it('on an unknown document is 404', async () => {
    const body = { old_text: 'a', new_text: 'b' }
    expect((await admin.api.post(`${path}/${NEVER}/apply_suggestion`, body)).status).toBe(404)
    expect((await admin.api.get(`${path}/${NEVER}/suggestions`)).status).toBe(404)
  })

  it('and a concurrent one are both applied to different text; only one is applied to the same text', async () => {
    const { suggest, pending, content } = await setUp('alpha beta gamma delta\n')
    const words = ['alpha', 'beta', 'gamma', 'delta']
    const answers = await Promise.all(
      [...words, ...words].map((old_text) => suggest({ old_text, new_text: old_text.toUpperCase() })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 409, 409, 409, 409])
    expect(await content('accepted')).toBe('ALPHA BETA GAMMA DELTA\n')
    const ids = answers.flatMap((answer) => answer.body.data?.change_ids ?? [])
    expect((await pending()).map((item) => item.id).sort()).toEqual(ids.sort())
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { createDocument, KIND_OF_TEXTS, KINDS } from '../document.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

interface Hit {
  id: string
  title: string
  matches: { line_number: number; line: string; before_context: string[]; after_context: string[] }[]
}

describe.each(KIND_OF_TEXTS)('searching %s', (_, kind) => {
  const { path } = kind
  let api: Client
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    api = (await ws.project()).admin.api
    const add = async (title: string, markdown_content: string) => {
      ids[title] = (await createDocument(api, kind, { title, markdown_content })).id
    }
    await add('Old refund', 'nothing here\n')
    await add('First', 'a\nb\nc\nThe refund comes.\nd\ne\nf\n\nRefunds again\n')
    await add('Second', 'a refund\r\n')
    await add('New Refunds', '')
    await api.patch(`${path}/${ids.First}`, {
      markdown_content: 'a\nb\nc\nThe refund comes.\nd\ne\nf\n\nRefunds again\n',
      force_new_version: true,
    })
    // The first search starts a process, which can take longer than the deadline on a busy machine.
    await eventually(async () => (await api.post(`${path}/search`, { query: 'a' })).status === 200)
  })

  const search = async (body: Record<string, unknown>): Promise<Hit[]> => {
    const answer = await api.post(`${path}/search`, body)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual(['items'])
    return answer.body.items
  }

  it('returns every field of a hit and of its matches', async () => {
    const [hit] = await search({ query: 'refund comes' })
    expect(hit).toEqual({
      object: kind.object,
      id: ids.First,
      document_id: ids.First,
      title: 'First',
      [kind.treeField]: kind.tree,
      matches: [{ line_number: 4, line: 'The refund comes.', before_context: ['b', 'c'], after_context: ['d', 'e'] }],
    })
  })

  it('names the tree of every hit while other documents are deleted', async () => {
    const { admin } = await ws.project()
    await createDocument(admin.api, kind, { title: 'Staying', markdown_content: 'a refund\n' })
    await createDocument(admin.api, kind, { title: 'Going', markdown_content: 'a refund\n' })
    let searching: Promise<Answer> | undefined
    await inTransaction({ db: ws.sql }, async ({ db }) => {
      // A statement that reads the trees waits here until the other document is deleted.
      await db`lock table document_trees in access exclusive mode`
      searching = admin.api.post(`${path}/search`, { query: 'refund' })
      await eventually(
        async () =>
          (await db`select from pg_locks where relation = 'document_trees'::regclass and not granted`).length > 0,
      )
      await db`delete from documents where title = 'Going'`
    })
    const { status, body } = await searching!
    expect(status).toBe(200)
    const places = body.items.map((hit: Record<string, unknown>) => [hit.title, hit[kind.treeField]])
    expect(places).toContainEqual(['Staying', kind.tree])
    for (const [, place] of places) expect(place).toBe(kind.tree)
  })

  it('orders title matches first, then by last update; a hit by title alone has no matches', async () => {
    const hits = await search({ query: 'refund' })
    expect(hits.map((hit) => hit.title)).toEqual(['New Refunds', 'Old refund', 'First', 'Second'])
    expect(hits.map((hit) => hit.matches.length)).toEqual([0, 0, 2, 1])
    expect(hits[2]!.matches.map((match) => match.line_number)).toEqual([4, 9])
  })

  it('returns 0 to 10 lines of context, fewer at the edges', async () => {
    const context = async (context_lines: number) => {
      const [hit] = await search({ query: 'refund comes', context_lines })
      return [hit!.matches[0]!.before_context, hit!.matches[0]!.after_context]
    }
    expect(await context(0)).toEqual([[], []])
    expect(await context(1)).toEqual([['c'], ['d']])
    expect(await context(10)).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e', 'f', '', 'Refunds again'],
    ])
  })

  it('ignores case by default, and applies the limit to documents', async () => {
    expect((await search({ query: 'REFUND' })).length).toBe(4)
    expect((await search({ query: 'Refund', case_sensitive: true })).map((hit) => hit.title)).toEqual([
      'New Refunds',
      'First',
    ])
    expect((await search({ query: 'refund', limit: 3 })).map((hit) => hit.title)).toEqual([
      'New Refunds',
      'Old refund',
      'First',
    ])
  })

  it('accepts regular expressions', async () => {
    expect((await search({ query: '^The .*comes\\.$' })).map((hit) => hit.id)).toEqual([ids.First])
    expect((await search({ query: 'old r|^Sec' })).map((hit) => hit.title)).toEqual(['Second', 'Old refund'])
    expect(await search({ query: 'never to be found' })).toEqual([])
  })

  it.each(['(', '[a', '*', '(?=a)', 'a(?!b)', '(?<=a)b', '(a)\\1'])(
    'answers 400 with the reason for %j',
    async (query) => {
      const { status, body, headers } = await api.post(`${path}/search`, { query })
      expect(status).toBe(400)
      expect(headers['content-type']).toContain('application/problem+json')
      expect(body.detail).toContain(query)
    },
  )

  it.each([
    [{}, '/query'],
    [{ query: '' }, '/query'],
    [{ query: 'x'.repeat(1_001) }, '/query'],
    [{ query: 'a\u0000b' }, '/query'],
    [{ query: 'a\u001bb' }, '/query'],
    [{ query: 'a\u0085b' }, '/query'],
    [{ query: null }, '/query'],
    [{ query: 5 }, '/query'],
    [{ query: 'a', context_lines: -1 }, '/context_lines'],
    [{ query: 'a', context_lines: 11 }, '/context_lines'],
    [{ query: 'a', limit: 0 }, '/limit'],
    [{ query: 'a', limit: 101 }, '/limit'],
    [{ query: 'a', limit: '5' }, '/limit'],
    [{ query: 'a', case_sensitive: 'yes' }, '/case_sensitive'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await api.post(`${path}/search`, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].pointer).toBe(pointer)
  })

  it('accepts 1,000 characters', async () => {
    expect(await search({ query: 'x'.repeat(1_000) })).toEqual([])
  })

  it('finds content that was just written, and none that was just replaced or deleted', async () => {
    const { id } = await createDocument(api, kind, { markdown_content: 'xylophone\n' })
    expect((await search({ query: 'xylophone' })).map((hit) => hit.id)).toEqual([id])
    await api.patch(`${path}/${id}`, { markdown_content: 'zither\n' })
    expect(await search({ query: 'xylophone' })).toEqual([])
    expect((await search({ query: 'zither' })).map((hit) => hit.id)).toEqual([id])
    await api.patch(`${path}/${id}/rename`, { title: 'Theorbo' })
    expect((await search({ query: 'theorbo' })).map((hit) => hit.title)).toEqual(['Theorbo'])
    await api.delete(`${path}/${id}`)
    expect(await search({ query: 'zither|theorbo' })).toEqual([])
  })

  it('finds only documents of this kind and project', async () => {
    const other = KINDS.find(([, one]) => one.path !== path)![1]
    await createDocument(api, other, { title: 'Marimba', markdown_content: 'marimba\n' })
    await createDocument((await ws.project()).admin.api, kind, { title: 'Marimba', markdown_content: 'marimba\n' })
    expect(await search({ query: 'marimba' })).toEqual([])
  })
})

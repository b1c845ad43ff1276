import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, type Person, signedIn } from '../../conversations/person.factory.ts'

let workspace: Workspace
let person: Person
let stranger: Person
/** The folder that a test has to itself. */
let home: string
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
  stranger = await signedIn(workspace)
})
afterAll(() => workspace.close())
beforeEach(async () => {
  home = (await make({ type: 'folder', name: crypto.randomUUID() })).id
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into artifacts freely
const make = async (values: Record<string, unknown>): Promise<any> =>
  (await json(person.call('POST', '/artifacts', values))).data
const folder = (name: string, parent_id = home) => make({ type: 'folder', name, parent_id })
const note = (name: string, parent_id = home, markdown_content = '# Note') =>
  make({ name, parent_id, markdown_content })
async function file(name: string, content: string, parent_id = home, type = 'application/octet-stream') {
  const form = new FormData()
  form.set('parent_id', parent_id)
  form.set('file', new Blob([content], { type }), name)
  const answer = await fetch(`${person.url}/artifacts`, {
    method: 'POST',
    headers: { cookie: person.cookie, 'x-project-id': person.projectId },
    body: form,
  })
  expect(answer.status).toBe(201)
  return (await json(answer)).data
}
const rows = (query = '', parent_id = home) =>
  json(person.call('GET', `/artifacts/rows?parent_id=${parent_id}${query}`))
const names = async (query = '', parent_id = home) =>
  (await rows(query, parent_id)).items.map(({ name }: { name: string }) => name)

describe('a folder', () => {
  test('lists what lies in it, folders first, in each order', async () => {
    const research = await folder('Research')
    await folder('Zoo', research.id)
    await file('a-long.txt', 'x'.repeat(30), research.id)
    await file('b.txt', 'x', research.id)
    await note('elsewhere.md')
    expect(await names()).toEqual(['Research', 'elsewhere.md'])
    expect(await names('', research.id)).toEqual(['Zoo', 'a-long.txt', 'b.txt'])
    expect(await names('&sort=-name', research.id)).toEqual(['Zoo', 'b.txt', 'a-long.txt'])
    expect(await names('&sort=size', research.id)).toEqual(['Zoo', 'b.txt', 'a-long.txt'])
    expect(await names('&sort=-updated', research.id)).toEqual(['Zoo', 'b.txt', 'a-long.txt'])
  })

  test('goes on from its folders to its files within a page, in each order and for each kind', async () => {
    for (const name of ['b', 'a', 'c']) await folder(name)
    await file('long.csv', 'x'.repeat(9))
    await file('short.csv', 'x')
    await file('notes.txt', 'xxx')
    const page = (at: number, more = '') => names(`&page_size=2&page=${at}${more}`)
    expect([await page(1), await page(2), await page(3)]).toEqual([
      ['a', 'b'],
      ['c', 'long.csv'],
      ['notes.txt', 'short.csv'],
    ])
    expect(await page(2, '&sort=-name')).toEqual(['a', 'short.csv'])
    expect(await page(2, '&sort=-size')).toEqual(['c', 'long.csv'])
    expect(await page(2, '&sort=updated')).toEqual(['c', 'long.csv'])
    expect(await page(1, '&kind=spreadsheet&sort=size')).toEqual(['short.csv', 'long.csv'])
    expect(await page(2, '&kind=folder&kind=text')).toEqual(['c', 'notes.txt'])
    expect(await rows('&page_size=2&page=9')).toMatchObject({ total: 6, items: [] })
  })

  test('comes in pages, each with the number of all rows', async () => {
    for (const name of ['1', '2', '3']) await note(name)
    expect(await rows('&page_size=2&page=2')).toMatchObject({ total: 3, total_pages: 2, items: [{ name: '3' }] })
  })

  test('tells of each row what a list shows: kind, items, uses and who added it', async () => {
    const research = await folder('Research')
    await folder('Below', research.id)
    const fees = await file('fees.csv', 'a,b', research.id)
    const [used] = [await note('Notes')]
    await person.call('PUT', `/connections/${fees.id}/${used.id}`, {})
    expect((await rows()).items).toMatchObject([
      { name: 'Research', kind: 'folder', item_count: 2, used_count: 0, size_bytes: null },
      { name: 'Notes', kind: 'document', item_count: null, used_count: 1 },
    ])
    expect((await rows('', research.id)).items[1]).toMatchObject({
      name: 'fees.csv',
      kind: 'spreadsheet',
      used_count: 1,
      size_bytes: 3,
      created_by: 'Talker',
      created_by_id: person.userId,
      parent_id: research.id,
    })
  })

  test('shows only the kinds that are asked for, which names and content types decide', async () => {
    await file('shot.png', 'x', home, 'image/png')
    await file('study.PDF', 'x')
    await file('talk.m4a', 'x')
    await file('main.rs', 'x')
    await file('unknown', 'x')
    await note('Notes')
    expect(await names('&kind=image,pdf')).toEqual(['shot.png', 'study.PDF'])
    expect(await names('&kind=audio&kind=text')).toEqual(['main.rs', 'talk.m4a'])
    expect(await names('&kind=other')).toEqual(['unknown'])
    expect(await names('&kind=document')).toEqual(['Notes'])
  })

  test('of another project does not exist, and a file is not a folder', async () => {
    const theirs = (await json(stranger.call('POST', '/artifacts', { type: 'folder', name: 'Theirs' }))).data
    expect((await person.call('GET', `/artifacts/rows?parent_id=${theirs.id}`)).status).toBe(404)
    const own = await note('Note')
    expect((await person.call('GET', `/artifacts/rows?parent_id=${own.id}`)).status).toBe(422)
  })
})

describe('a search', () => {
  test('finds every word in names and in the text of documents, in the folder and below it', async () => {
    const research = await folder('Research')
    const below = await folder('Below', research.id)
    await note('Decline codes', below.id, 'Code 05 means **do not honor**.')
    await note('Honor roll', research.id, 'Nothing else')
    await note('Outside honor')
    const found = await rows('&q=honor', research.id)
    expect(found.items).toMatchObject([
      { name: 'Decline codes', snippet: expect.stringContaining('do not honor') },
      { name: 'Honor roll', snippet: null },
    ])
    expect(await names('&q=HONOR codes')).toEqual(['Decline codes'])
    expect(await names('&q=100%25')).toEqual([])
  })
})

test('the folders come as a tree with the number of files in each', async () => {
  const research = await folder('Research')
  const below = await folder('Below', research.id)
  await note('one', below.id)
  await note('two', below.id)
  await note('root')
  expect(await json(person.call('GET', '/artifacts/folders'))).toEqual({
    items: expect.arrayContaining([
      { id: home, name: expect.any(String), parent_id: null, file_count: 1 },
      { id: below.id, name: 'Below', parent_id: research.id, file_count: 2 },
      { id: research.id, name: 'Research', parent_id: home, file_count: 0 },
    ]),
    root_file_count: 0,
  })
})

describe('several at once', () => {
  test('move into a folder, except those whose name is taken there', async () => {
    const research = await folder('Research')
    const [a, b] = [await note('a'), await note('b')]
    await note('B', research.id)
    const outcome = await json(
      person.call('POST', '/artifacts/batch_move', { ids: [a.id, b.id], parent_id: research.id }),
    )
    expect(outcome.items).toMatchObject([
      { id: a.id, refusal: null },
      { id: b.id, refusal: expect.stringContaining('There is something called "b" in') },
    ])
    expect(await names('', research.id)).toEqual(['a', 'B'])
    expect(await names()).toEqual(['Research', 'b'])
  })

  test('move only what still lies where it was seen', async () => {
    const [research, archive, done] = [await folder('Research'), await folder('Archive'), await folder('Done')]
    const [a, b] = [await note('a', research.id), await note('b', archive.id)]
    const move = { ids: [a.id, b.id], parent_id: done.id, expected_parent_id: research.id }
    const outcome = await json(person.call('POST', '/artifacts/batch_move', move))
    expect(outcome.items).toMatchObject([
      { id: a.id, refusal: null },
      { id: b.id, refusal: expect.stringMatching(/^Somebody has moved "b" to ".*Archive" since/) },
    ])
    expect(await names('', archive.id)).toEqual(['b'])
    const again = await json(person.call('POST', '/artifacts/batch_move', { ...move, ids: [a.id] }))
    expect(again.items).toMatchObject([{ id: a.id, refusal: null }])
  })

  test('are refused as a whole if the folder is not there', async () => {
    const a = await note('a')
    const nowhere = { ids: [a.id], parent_id: crypto.randomUUID() }
    expect((await person.call('POST', '/artifacts/batch_move', nowhere)).status).toBe(404)
  })

  test('a folder is not moved into itself', async () => {
    const [outer] = [await folder('Outer')]
    const inner = await folder('Inner', outer.id)
    const outcome = await json(person.call('POST', '/artifacts/batch_move', { ids: [outer.id], parent_id: inner.id }))
    expect(outcome.items[0].refusal).toContain('cannot be moved into itself')
  })
})

describe('the content of a file', () => {
  const replace = (id: string, content: string, headers = {}) => {
    const form = new FormData()
    form.set('file', new Blob([content], { type: 'text/plain' }), 'new.txt')
    return fetch(`${person.url}/artifacts/${id}/content`, {
      method: 'PUT',
      headers: { cookie: person.cookie, 'x-project-id': person.projectId, ...headers },
      body: form,
    })
  }

  test('is replaced under the same id and name', async () => {
    const old = await file('fees.txt', 'old')
    const answer = await replace(old.id, 'newer')
    expect(answer.status).toBe(200)
    expect((await json(answer)).data).toMatchObject({ id: old.id, name: 'fees.txt', size_bytes: 5 })
    expect(await (await person.call('GET', `/artifacts/${old.id}/content`)).text()).toBe('newer')
    const events = await json(person.call('GET', '/changes'))
    expect(events.items[0]).toMatchObject({ kind: 'artifact.updated', payload: { fields: ['content'] } })
  })

  test('of a document or a folder is not', async () => {
    const own = await note('note')
    expect(await json(replace(own.id, 'x'))).toMatchObject({ status: 409, code: 'not_a_file' })
    const theirs = (await json(stranger.call('POST', '/artifacts', { name: 'their note' }))).data
    expect((await replace(theirs.id, 'x')).status).toBe(404)
  })

  test('is not replaced if it changed since it was read', async () => {
    const old = await file('fees.txt', 'old')
    expect((await replace(old.id, 'x', { 'if-match': '"stale"' })).status).toBe(412)
  })
})

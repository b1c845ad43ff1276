import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { createDocument, createFile, createFolder, namesIn, upload } from './artifact.factory.ts'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const project = async () => {
  api = (await ws.project()).admin.api
  return api
}
const times = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

/** Every shown path must be made of the names of the folders above. */
async function expectPathsRight(sql: Workspace['sql']) {
  const wrong = await sql`
    select a.name, a.folder_path, case when f.id is null then '' when f.folder_path = '' then f.name
      else f.folder_path || '/' || f.name end as should
    from artifacts a left join artifacts f on f.project_id = a.project_id and f.id = a.parent_id
    where a.folder_path <> case when f.id is null then '' when f.folder_path = '' then f.name
      else f.folder_path || '/' || f.name end`
  expect(wrong).toEqual([])
}

describe('at the same time', () => {
  it('many cannot take one name: one wins, the others are told', async () => {
    await project()
    const answers = await times(12, (i) =>
      i % 2 ? upload(api, { fileName: 'One.MD' }) : api.post('/artifacts', { name: 'one.md' }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)])
    expect(await namesIn(api)).toHaveLength(1)
  })

  it('many can make one path: each folder is made once', async () => {
    await project()
    const made = await times(12, (i) => createFile(api, { fields: { folder_path: i % 2 ? 'a/b/c' : 'A/B/C' } }))
    expect(new Set(made.map((one) => one.folder_path)).size).toBe(1)
    expect((await api.get('/artifacts?type=folder')).body.total).toBe(3)
    expect((await api.get('/artifacts')).body.total).toBe(15)
  })

  it('two cannot rename to one name', async () => {
    await project()
    const both = await times(2, () => createDocument(api))
    const answers = await Promise.all(both.map(({ id }) => api.patch(`/artifacts/${id}`, { name: 'same.md' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('two folders cannot be moved into each other', async () => {
    await project()
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await createFolder(api), await createFolder(api)]
      const answers = await Promise.all([
        api.patch(`/artifacts/${one.id}`, { parent_id: two.id }),
        api.patch(`/artifacts/${two.id}`, { parent_id: one.id }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
    await expectPathsRight(ws.sql)
  })

  it('three moves cannot close a circle together', async () => {
    await project()
    const folders = await times(3, () => createFolder(api))
    const answers = await times(3, (i) =>
      api.patch(`/artifacts/${folders[i].id}`, { parent_id: folders[(i + 1) % 3].id }),
    )
    expect(answers.filter(({ status }) => status === 409).length).toBe(1)
    await expectPathsRight(ws.sql)
  })

  it('what is added while folders are renamed and moved has the right path', async () => {
    await project()
    const outer = await createFolder(api, { name: 'outer' })
    const inner = await createFolder(api, { name: 'inner', parent_id: outer.id })
    const other = await createFolder(api, { name: 'other' })
    await Promise.all([
      times(15, () => createDocument(api, { parent_id: inner.id })),
      times(15, () => createFile(api, { fields: { parent_id: inner.id } })),
      (async () => {
        for (let i = 0; i < 6; i++) {
          await api.patch(`/artifacts/${outer.id}`, { name: `outer ${i}` })
          await api.patch(`/artifacts/${inner.id}`, { parent_id: i % 2 ? outer.id : other.id })
        }
      })(),
    ])
    await expectPathsRight(ws.sql)
    expect((await api.get('/artifacts')).body.total).toBe(33)
  })

  it('what is added while its folder is deleted is gone with it or refused', async () => {
    await project()
    const folder = await createFolder(api)
    const [answers, deleted] = await Promise.all([
      times(10, () => api.post('/artifacts', { name: `${Math.random()}`, parent_id: folder.id })),
      api.delete(`/artifacts/${folder.id}`),
    ])
    expect(deleted.status).toBe(204)
    for (const { status } of answers) expect([201, 404]).toContain(status)
    expect((await api.get('/artifacts')).body).toMatchObject({ items: [], total: 0 })
    const [left] = await ws.sql`select count(*)::int as n from resources r where resource_type = 'artifact'
      and not exists (select 1 from artifacts a where a.project_id = r.project_id and a.id = r.id)`
    expect(left!.n).toBe(0)
  })

  it('only one of many who saw the same state may change it', async () => {
    await project()
    const { id } = await createDocument(api)
    const { etag } = (await api.get(`/artifacts/${id}`)).headers
    const answers = await times(8, (i) =>
      api.patch(`/artifacts/${id}`, { markdown_content: `by ${i}` }, { 'if-match': etag! }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
    const { text } = await api.get(`/artifacts/${id}/content`)
    expect(text).toBe((await api.get(`/artifacts/${id}`)).body.data.markdown_content)
  })

  it('who writes the text that was there before another wrote still gets that text', async () => {
    await project()
    const { id } = await createDocument(api, { markdown_content: 'first' })
    const waiting = async (count: number) =>
      (await ws.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        .length === count
    const answers: Promise<Answer>[] = []
    await inTransaction({ db: ws.sql }, async ({ db: sql }) => {
      await sql`select 1 from artifacts where id = ${id} for update`
      for (const markdown_content of ['second', 'first']) {
        answers.push(api.patch(`/artifacts/${id}`, { markdown_content }))
        await eventually(() => waiting(answers.length))
      }
    })
    const shown = (await Promise.all(answers)).map(({ body }) => body.data.markdown_content)
    expect(shown).toEqual(['second', 'first'])
    expect((await api.get(`/artifacts/${id}/content`)).text).toBe('first')
    expect((await api.get(`/artifacts/${id}`)).body.data.markdown_content).toBe('first')
  })

  it('one Idempotency-Key uploads once', async () => {
    await project()
    const answers = await times(6, () =>
      upload(api, { fileName: 'once.bin', headers: { 'idempotency-key': 'together' } }),
    )
    for (const { status, body } of answers)
      expect(status === 201 || (status === 409 && body.code === 'idempotency_in_flight')).toBe(true)
    expect(await namesIn(api)).toEqual(['once.bin'])
    const { body } = await upload(api, { fileName: 'once.bin', headers: { 'idempotency-key': 'together' } })
    expect((await api.get(`/artifacts/${body.data.id}/content`)).status).toBe(200)
  })
})

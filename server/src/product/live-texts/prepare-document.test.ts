import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KIND_OF_TEXTS, KINDS } from '../documents/document.factory.ts'
import { PREPARE_DOCUMENT } from './prepare-later.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
})
afterAll(() => ws.close())

const queued = async (id: string) => {
  const rows = await ws.sql<{ payload: { id: string } }[]>`
    select payload from graphile_worker._private_jobs where key like ${`${PREPARE_DOCUMENT}%`}`
  return rows.map(({ payload }) => payload).filter((payload) => payload.id === id)
}
const run = (payload: unknown) => ws.deps.wiring.jobs.get(PREPARE_DOCUMENT)!.run(payload, ws.deps)
const stored = async (id: string) => {
  const [row] = await ws.sql<{ version_id: string; revision: string }[]>`
    select version as version_id, revision from live_texts where id = ${id}`
  return row
}

describe.each(KIND_OF_TEXTS)('a long document of %s', (_, kind) => {
  const long = 'Many words.\n\n'.repeat(10_000)

  it('is converted for editors once after several writes, and stays as it was written', async () => {
    const { api } = project.admin
    const { id } = await createDocument(api, kind, { markdown_content: long })
    const newest = `${long}* The newest.\n`
    await api.patch(`${kind.path}/${id}`, { markdown_content: newest })
    const jobs = await queued(id)
    expect(jobs).toHaveLength(1)
    expect(await stored(id)).toBeUndefined()
    await run(jobs[0])
    const { data } = (await api.get(`${kind.path}/${id}`)).body
    expect(data.markdown_content).toBe(newest)
    const before = await stored(id)
    expect(before?.version_id).toBe(data.version_id)
    await run(jobs[0])
    expect(await stored(id)).toEqual(before)
  })

  it('may be gone by then', async () => {
    const { id } = await createDocument(project.admin.api, kind, { markdown_content: long })
    const [job] = await queued(id)
    await ws.sql`delete from documents where id = ${id}`
    await run(job)
    expect(await stored(id)).toBeUndefined()
  })
})

it('leaves short documents to those who open them', async () => {
  const [, kind] = KINDS[0]!
  const { id } = await createDocument(project.admin.api, kind, { markdown_content: 'Few words.\n' })
  expect(await queued(id)).toEqual([])
})

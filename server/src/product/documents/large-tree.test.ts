import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KINDS, type TestedKind } from './document.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

/** Statements that run on a timer and do not belong to a request. */
const BESIDE = /agent_calls|api_keys|pg_notify/

/** Returns how many statements the database receives while `run` runs. */
async function statements(run: () => Promise<unknown>): Promise<number> {
  let count = 0
  ws.sql.onStatement = (statement) => {
    if (!BESIDE.test(statement)) count++
  }
  await run()
  ws.sql.onStatement = undefined
  return count
}

/** Inserts `count` documents below `parentId`: a chain of 200 and a node that has all others as children. */
async function grow(projectId: string, { object, tree }: TestedKind, parentId: string, count: number) {
  await ws.sql`
    with node as (
      select number, gen_random_uuid() as id, gen_random_uuid() as version_id from generate_series(1, ${count}) as number
    ), placed as (
      select id, version_id, number,
        case when number <= 2 then ${parentId}::uuid when number <= 202 then lag(id) over (order by number)
          else first_value(id) over (order by number) end as parent_id,
        case when number = 2 then 1 when number <= 202 then 0 else number - 203 end as position
      from node
    ), registered as (
      insert into resources (project_id, id, resource_type) select ${projectId}, id, ${object} from placed
    )
    insert into documents (project_id, id, kind, tree_id, parent_id, position, title, markdown_content, version_id,
      version_number, created_at, updated_at)
    select ${projectId}, p.id, ${object}, t.id, p.parent_id, p.position, case p.number when 202 then 'Deepest' else 'Node ' || p.number end, '', p.version_id, 1,
      now(), now()
    from placed p join document_trees t on t.project_id = ${projectId} and t.name = ${tree}`
  await ws.sql`update counters set live = live + ${count} where project_id = ${projectId} and name = ${object}`
  await ws.sql`analyze documents`
}

describe.each(KINDS)('a tree of 5,000 %s', (_, kind) => {
  const { path } = kind
  const setUp = async (count: number) => {
    const project = await ws.project()
    const { api } = project.admin
    const root = await createDocument(api, kind, { title: 'root' })
    const other = await createDocument(api, kind, { title: 'other' })
    await grow(project.id, kind, root.id, count)
    const [wide, chain] = (await api.get(`${path}/${root.id}`)).body.data.children as { id: string; title: string }[]
    expect([wide!.title, chain!.title]).toEqual(['Node 1', 'Node 2'])
    const deepest = (await api.get(`${path}?title=Deepest`)).body.items[0].id as string
    const children = (await api.get(`${path}/${wide!.id}`)).body.data.children as { id: string }[]
    return { api, other: other.id, wide: wide!.id, chain: chain!.id, deepest, children }
  }

  it('takes no more statements than a small tree to list, read, move and delete', async () => {
    const counts = []
    for (const size of [210, 5_000]) {
      const { api, other, wide, chain, deepest, children } = await setUp(size)
      expect(children).toHaveLength(size - 202)
      const ok = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBeLessThan(300)
      counts.push([
        await statements(() => ok(api.get(`${path}?page_size=100`))),
        await statements(() => ok(api.get(`${path}?page_size=100&title=node`))),
        await statements(() => ok(api.get(`${path}/${wide}`))),
        await statements(() => ok(api.put(`${path}/${children.at(-1)!.id}/move`, { position: 0 }))),
        await statements(() => ok(api.put(`${path}/${wide}/move`, { parent_id: other }))),
        await statements(() => ok(api.put(`${path}/${wide}/move`, { parent_id: deepest }))),
        await statements(async () =>
          expect((await api.put(`${path}/${chain}/move`, { parent_id: wide })).status).toBe(409),
        ),
        await statements(() => ok(api.post(path, { ...kind.needs, title: 'x', parent_id: wide }))),
        await statements(() => ok(api.patch(`${path}/${wide}/rename`, { title: 'x' }))),
        await statements(() => ok(api.delete(`${path}/${wide}`))),
      ])
      const last = (await api.get(`${path}?page_size=100&page=${Math.ceil((size + 2 + kind.total) / 100)}`)).body
      expect([last.total, last.items.length]).toEqual([size + 2 + kind.total, (size + 2 + kind.total) % 100])
      expect((await api.get(`${path}/${deepest}`)).body.data.children).toHaveLength(size - 201)
    }
    expect(counts[1]).toEqual(counts[0])
    expect(Math.min(...counts[0]!)).toBeGreaterThan(0)
    expect(Math.max(...counts[0]!)).toBeLessThan(30)
  })
})

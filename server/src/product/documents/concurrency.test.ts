import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KIND_OF_TEXTS, outlineOf, times } from './document.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const statusesOf = (answers: Answer[]) => answers.map((answer) => answer.status).sort()

describe.each(KIND_OF_TEXTS)('concurrent requests on %s', (_, kind) => {
  const { path, total } = kind
  const setUp = async (count: number) => {
    const project = await ws.project()
    // A second node, so that the test does not depend on the memory of one process.
    const apis = [project.admin.api, ws.client(project.admin.key, await ws.node())]
    const root = await createDocument(apis[0]!, kind, { title: 'root' })
    const made = []
    for (const index of times(count, (number) => number))
      made.push((await createDocument(apis[0]!, kind, { title: `n${index}`, parent_id: root.id })).id)
    /** Throws if positions have gaps or documents form a cycle. */
    const outline = () => outlineOf(ws.sql, project.id, kind.tree)
    const names = async () => (await outline()).match(/n\d+/g)?.sort() ?? []
    return { project, api: apis[0]!, apis, root: root.id, made, outline, names }
  }

  it('30 documents created under one parent get 30 positions', async () => {
    const { api, apis, root, names } = await setUp(0)
    const answers = await Promise.all(
      times(30, (index) => apis[index % 2]!.post(path, { ...kind.needs, title: `n${index}`, parent_id: root })),
    )
    expect(statusesOf(answers)).toEqual(times(30, () => 201))
    expect(await names()).toEqual(times(30, (index) => `n${index}`).sort())
    expect((await api.get(`${path}/${root}`)).body.data.children).toHaveLength(30)
    expect((await api.get(path)).body.total).toBe(total + 31)
  })

  it('30 moves leave positions without gaps and never make a cycle', async () => {
    const { apis, root, made, names } = await setUp(10)
    const answers = await Promise.all(
      times(30, (index) => {
        const parent_id = index % 3 === 0 ? root : made[(index * 7 + 3) % 10]
        return apis[index % 2]!.put(`${path}/${made[index % 10]}/move`, { parent_id, position: index % 4 })
      }),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(await names()).toEqual(times(10, (index) => `n${index}`).sort())
  })

  it('of two documents that move below each other, one moves and the other is refused', async () => {
    const { apis, root, made, outline } = await setUp(2)
    const [a, b] = made as [string, string]
    for (const _ of times(5, () => 0)) {
      const answers = await Promise.all([
        apis[0]!.put(`${path}/${a}/move`, { parent_id: b }),
        apis[1]!.put(`${path}/${b}/move`, { parent_id: a }),
      ])
      expect(statusesOf(answers)).toEqual([200, 409])
      expect(await outline()).toMatch(/root\((n0\(n1\)|n1\(n0\))\)/)
      for (const id of [a, b]) await apis[0]!.put(`${path}/${id}/move`, { parent_id: root })
    }
  })

  it('moves, creates and deletes never lose a document', async () => {
    const { api, apis, root, made, names } = await setUp(12)
    const gone = made.slice(0, 4)
    const answers = await Promise.all([
      ...made.slice(4).map((id, index) => apis[0]!.put(`${path}/${id}/move`, { parent_id: gone[index % 4]! })),
      ...gone.map((id) => apis[1]!.delete(`${path}/${id}`)),
      ...gone.map((id, index) => apis[0]!.post(path, { ...kind.needs, title: `n${12 + index}`, parent_id: id })),
      ...made.slice(4).map((id, index) => apis[1]!.put(`${path}/${id}/move`, { parent_id: root, position: index })),
    ])
    for (const { status } of answers) expect([200, 201, 204, 404, 409]).toContain(status)
    const created = answers.filter((answer) => answer.status === 201).map((answer) => answer.body.data.title as string)
    const left = [...times(8, (index) => `n${index + 4}`), ...created].sort()
    expect(await names()).toEqual(left)
    expect((await api.get(path)).body.total).toBe(total + 1 + left.length)
  })

  it('exactly one of many deletes succeeds', async () => {
    const { apis, api, made } = await setUp(1)
    const answers = await Promise.all(times(6, (index) => apis[index % 2]!.delete(`${path}/${made[0]}`)))
    expect(statusesOf(answers)).toEqual([204, ...times(5, () => 404)])
    expect((await api.get(path)).body.total).toBe(total + 1)
  })

  it('of two writes with the same If-Match, one succeeds and the other gets the current state', async () => {
    const { apis, api, made } = await setUp(1)
    const one = `${path}/${made[0]}`
    for (const round of times(6, (index) => index)) {
      const { headers } = await api.get(one)
      const answers = await Promise.all(
        apis.map((client, index) =>
          client.patch(one, { markdown_content: `${round} ${index}` }, { 'if-match': headers.etag! }),
        ),
      )
      expect(statusesOf(answers)).toEqual([200, 412])
      const won = answers.find((answer) => answer.status === 200)!
      const lost = answers.find((answer) => answer.status === 412)!
      const now = await api.get(one)
      expect(now.body).toEqual(won.body)
      expect(lost.body).toMatchObject({
        current_etag: now.headers.etag,
        version_id: won.body.data.version_id,
      })
    }
  })

  it('20 writes make 20 versions, numbered without gaps', async () => {
    const { apis, api, made } = await setUp(1)
    const one = `${path}/${made[0]}`
    const answers = await Promise.all(
      times(20, (index) => apis[index % 2]!.patch(one, { markdown_content: `text ${index}` })),
    )
    const numbers = answers.map((answer) => answer.body.data.version_number as number).sort((a, b) => a - b)
    expect(numbers).toEqual(times(20, (index) => index + 2))
    const { items } = (await api.get(`${one}/versions`)).body
    expect(items.map((item: { version_number: number }) => item.version_number)).toEqual(times(21, (n) => 21 - n))
    const last = answers.find((answer) => answer.body.data.version_number === 21)!
    expect((await api.get(one)).body).toEqual(last.body)
  })
})

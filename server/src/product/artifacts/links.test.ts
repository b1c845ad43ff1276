import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { createDocument, createFile, createFolder } from './artifact.factory.ts'

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const linkTo = (resourceId: string, resourceType = 'artifact') => ({ resourceType, resourceId })
const contextOf = async (path: string) => (await api.get(path)).body.data.connectedContext
const connect = (id: string, links: object[]) =>
  api.post('/work_orders/batch_update', {
    request_id: 'r',
    operations: [
      {
        operation_id: 'a',
        operation_type: 'UpdateConnectedContext',
        target: { work_order_id: id },
        patch: { connectedContext: links },
      },
    ],
  })

describe('connected context', () => {
  it('of a work order and an artifact is seen from both ends, and goes with either', async () => {
    const [document, file, folder] = [await createDocument(api), await createFile(api), await createFolder(api)]
    const { id } = await createWorkOrder(api, {
      connectedContext: [document, file, folder].map((one) => linkTo(one.id)),
    })
    expect(await contextOf(`/work_orders/${id}`)).toEqual([document, file, folder].map((one) => linkTo(one.id)))
    for (const one of [document, file, folder])
      expect(await contextOf(`/artifacts/${one.id}`)).toEqual([linkTo(id, 'work_order')])
    await api.delete(`/artifacts/${file.id}`)
    expect(await contextOf(`/work_orders/${id}`)).toEqual([linkTo(document.id), linkTo(folder.id)])
    await api.delete(`/work_orders/${id}`)
    expect(await contextOf(`/artifacts/${document.id}`)).toEqual([])
  })

  it('refuses an artifact that is not there, in another project, or something else', async () => {
    const { id } = await createWorkOrder(api)
    const other = await createWorkOrder(api)
    const elsewhere = await createDocument((await ws.project()).admin.api)
    for (const link of [linkTo(NEVER), linkTo(elsewhere.id), linkTo(other.id)])
      expect((await connect(id, [link])).body.results.a.status).toBe('failed')
    const { id: artifact } = await createDocument(api)
    expect((await connect(id, [linkTo(artifact, 'work_order')])).body.results.a.status).toBe('failed')
    expect((await connect(id, [linkTo(artifact.toUpperCase())])).body.results.a.status).toBe('succeeded')
  })

  it('goes with a folder that is deleted with everything in it', async () => {
    const inside = await createDocument(api, { folder_path: 'context/deep' })
    const { id } = await createWorkOrder(api, { connectedContext: [linkTo(inside.id)] })
    await api.delete('/artifacts/folders', {}, { folder_path: 'context' })
    expect(await contextOf(`/work_orders/${id}`)).toEqual([])
  })

  it('expands to the name and the markdown of an artifact', async () => {
    const document = await createDocument(api, { name: 'expanded.md', markdown_content: '# Hi\n' })
    const file = await createFile(api, { fileName: 'expanded.bin' })
    const { id } = await createWorkOrder(api, { connectedContext: [linkTo(document.id), linkTo(file.id)] })
    const { body } = await api.get(`/work_orders/${id}?expand_context=true`)
    expect(body.data.connectedContext).toEqual([
      { ...linkTo(document.id), title: 'expanded.md', markdown_content: '# Hi\n' },
      { ...linkTo(file.id), title: 'expanded.bin', markdown_content: '' },
    ])
  })
})

describe("a comment's artifact_ids", () => {
  it('name artifacts, and lose those that are deleted', async () => {
    const [one, two] = [await createFile(api), await createDocument(api)]
    const { id } = await createWorkOrder(api)
    const path = `/work_orders/${id}/comments`
    const made = await api.post(path, { markdown_content: 'See', artifact_ids: [two.id, one.id] })
    expect(made.body.data.artifact_ids).toEqual([two.id, one.id])
    await api.delete(`/artifacts/${two.id}`)
    expect((await api.get(path)).body.items[0].artifact_ids).toEqual([one.id])
    const changed = await api.patch(`${path}/${made.body.data.id}`, { artifact_ids: [] })
    expect(changed.body.data.artifact_ids).toEqual([])
  })

  it('name nothing else: 422 with the place in the list', async () => {
    const { id } = await createWorkOrder(api)
    const elsewhere = await createFile((await ws.project()).admin.api)
    const known = await createFile(api)
    for (const wrong of [NEVER, elsewhere.id, id])
      expect(
        await api.post(`/work_orders/${id}/comments`, { markdown_content: 'x', artifact_ids: [known.id, wrong] }),
      ).toMatchObject({ status: 422, body: { errors: [{ pointer: '/artifact_ids/1' }] } })
  })
})

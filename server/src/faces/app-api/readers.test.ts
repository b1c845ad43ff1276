import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createFile } from '../../product/artifacts/artifact.factory.ts'
import { signedInMember } from './visitor.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

it('one address of a file serves a key of its project and its members, and nobody else', async () => {
  const project = await ws.project()
  const other = await ws.project()
  const { id } = await createFile(project.admin.api, { content: Buffer.from('dot'), fileName: 'dot.png' })
  const path = `/v2/external-api/artifacts/${id}/content`
  const read = async (headers: Record<string, string>, url = path) => {
    const { statusCode, body } = await ws.app.inject({ url, headers })
    return statusCode === 200 ? body : statusCode
  }
  const cookieOf = ({ jar }: { jar: Map<string, string> }) => [...jar].map((one) => one.join('=')).join('; ')
  const member = cookieOf(await signedInMember(ws, project, 'viewer'))
  const stranger = cookieOf(await signedInMember(ws, other, 'editor'))
  const key = await project.join('viewer')
  expect((await key.api.get(`/artifacts/${id}/content`)).bytes.toString()).toBe('dot')
  expect(await read({ cookie: member })).toBe('dot')
  expect(await read({ cookie: stranger })).toBe(404)
  expect(await read({ cookie: 'slipway=forged' })).toBe(401)
  expect(await read({})).toBe(401)
  expect(await read({ cookie: member }, '/v2/external-api/artifacts/no-id/content')).toBe(404)
  // A wrong key is not replaced by a session, and a session opens no other route.
  expect(await read({ cookie: member, 'x-api-key': 'wrong' })).toBe(401)
  expect(await read({ cookie: member }, `/v2/external-api/artifacts/${id}`)).toBe(401)
})

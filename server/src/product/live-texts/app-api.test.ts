import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { signedInMember } from '../../faces/app-api/visitor.factory.ts'
import { createDocument, KIND_OF_TEXTS, NEVER } from '../documents/document.factory.ts'
import { fragmentOf, readFragment } from './conversion/read-fragment.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
})
afterAll(() => ws.close())

const textOf = (state: Uint8Array) => {
  const shared = new Y.Doc()
  Y.applyUpdate(shared, state)
  return readFragment(fragmentOf(shared)).children.map((node) => node.textContent)
}

describe.each(KIND_OF_TEXTS)('the shared state of %s', (_, kind) => {
  const read = (reader: { jar: Map<string, string> } | undefined, id: string, encoding = 'identity') =>
    ws.app.inject({
      url: `/v2/app-api${kind.path}/${id}/live_state?project_id=${project.id}`,
      headers: {
        cookie: [...(reader?.jar ?? [])].map(([name, value]) => `${name}=${value}`).join('; '),
        'accept-encoding': encoding,
      },
    })

  it('has the text, for viewers too, and follows what is written elsewhere without saying it twice', async () => {
    const viewer = await signedInMember(ws, project, 'viewer')
    const { id } = await createDocument(project.admin.api, kind, { markdown_content: 'One\n\nTwo\n' })
    const first = await read(viewer, id)
    expect(first.statusCode).toBe(200)
    expect(textOf(first.rawPayload)).toEqual(['One', 'Two'])
    await project.admin.api.patch(`${kind.path}/${id}`, { markdown_content: 'One\n\nTwo\n\nThree\n' })
    const second = await read(viewer, id)
    const both = new Y.Doc()
    for (const { rawPayload } of [first, second]) Y.applyUpdate(both, rawPayload)
    expect(textOf(Y.encodeStateAsUpdate(both))).toEqual(['One', 'Two', 'Three'])
  })

  it('is sent as it is stored, compressed, to those who can read that', async () => {
    const person = await signedInMember(ws, project, 'editor')
    const { id } = await createDocument(project.admin.api, kind, { markdown_content: 'Many words.\n\n'.repeat(2_000) })
    const packed = await read(person, id, 'gzip, deflate, br')
    expect(packed.headers['content-encoding']).toBe('deflate')
    expect(textOf(inflateSync(packed.rawPayload))).toHaveLength(2_000)
    const plain = await read(person, id)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(textOf(plain.rawPayload)).toHaveLength(2_000)
  })

  it('is a 404 for what is not there, and for strangers', async () => {
    const person = await signedInMember(ws, project, 'editor')
    const elsewhere = await signedInMember(ws, await ws.project(), 'editor')
    const { id } = await createDocument(project.admin.api, kind)
    expect((await read(person, NEVER)).statusCode).toBe(404)
    expect((await read(elsewhere, id)).statusCode).toBe(404)
    expect((await read(undefined, id)).statusCode).toBe(401)
  })
})

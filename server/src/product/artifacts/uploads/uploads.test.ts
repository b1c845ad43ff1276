import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, type Person, signedIn } from '../../conversations/person.factory.ts'
import { PART_BYTES } from './uploads.ts'

let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
})
afterAll(() => workspace.close())

const bytes = randomBytes(PART_BYTES + 1000)
const begin = async (size_bytes = bytes.length): Promise<string> =>
  (await json(person.call('POST', '/artifacts/uploads', { size_bytes, content_type: 'video/mp4' }))).data.id
const put = (id: string, number: number, part: Buffer, as = person) => {
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(part)]), 'part')
  const headers = { cookie: as.cookie, 'x-project-id': as.projectId }
  return fetch(`${as.url}/artifacts/uploads/${id}/parts/${number}`, { method: 'PUT', headers, body })
}
const finish = (id: string, body: object, key?: string) =>
  person.call('POST', `/artifacts/uploads/${id}/finish`, body, key ? { 'idempotency-key': key } : {})
const received = async (id: string) => (await json(person.call('GET', `/artifacts/uploads/${id}`))).data?.received

test('a file arrives in parts in any order, and is what was sent', async () => {
  const id = await begin()
  expect((await put(id, 2, bytes.subarray(PART_BYTES))).status).toBe(204)
  expect(await received(id)).toEqual([2])
  expect(await json(finish(id, { name: 'talk.mp4' }))).toMatchObject({ status: 409, code: 'parts_missing' })
  expect((await put(id, 1, bytes.subarray(0, PART_BYTES))).status).toBe(204)
  const made = await json(finish(id, { name: 'talk.mp4' }))
  expect(made.data).toMatchObject({ name: 'talk.mp4', content_type: 'video/mp4', size_bytes: bytes.length })
  const answer = await person.call('GET', `/artifacts/${made.data.id}/content`)
  const sha = createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
  expect(sha).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect((await person.call('GET', `/artifacts/uploads/${id}`)).status).toBe(404)
})

test('finishing twice with the same key makes one file', async () => {
  const id = await begin(3)
  await put(id, 1, Buffer.from('abc'))
  const first = await json(finish(id, { name: 'once.bin' }, 'same-key'))
  const second = await json(finish(id, { name: 'once.bin' }, 'same-key'))
  expect(second.data.id).toBe(first.data.id)
})

test('a part of the wrong size is refused, and a part that is sent again replaces the first', async () => {
  const id = await begin(3)
  expect(await json(put(id, 1, Buffer.from('ab')))).toMatchObject({ status: 409, code: 'wrong_part' })
  expect(await json(put(id, 2, Buffer.from('abc')))).toMatchObject({ status: 409, code: 'wrong_part' })
  await put(id, 1, Buffer.from('old'))
  await put(id, 1, Buffer.from('new'))
  const { data } = await json(finish(id, { name: 'again.txt' }))
  expect(await (await person.call('GET', `/artifacts/${data.id}/content`)).text()).toBe('new')
})

test('a taken name says what has it, and the parts can replace its content, which can be restored', async () => {
  const first = await begin(3)
  await put(first, 1, Buffer.from('one'))
  const { data: old } = await json(finish(first, { name: 'fees.csv' }))
  const id = await begin(3)
  await put(id, 1, Buffer.from('two'))
  const refusal = { status: 409, code: 'name_taken', artifact_id: old.id, artifact_type: 'file' }
  expect(await json(finish(id, { name: 'FEES.csv' }))).toMatchObject(refusal)
  const { data } = await json(finish(id, { name: 'FEES.csv', replaces: old.id }))
  expect(data).toMatchObject({ id: old.id, name: 'fees.csv' })
  const content = async () => (await person.call('GET', `/artifacts/${old.id}/content`)).text()
  expect(await content()).toBe('two')

  const earlier = async () => (await json(person.call('GET', `/artifacts/${old.id}/earlier_contents`))).items
  const [one] = await earlier()
  expect(one).toMatchObject({ name: expect.stringMatching(/^fees \(replaced .*\)\.csv$/), size_bytes: 3 })
  const restore = (of: string, as = person) =>
    as.call('POST', `/artifacts/${of}/earlier_contents/${one.id}/restore`, {})
  expect((await restore(old.id, await signedIn(workspace))).status).toBe(404)
  expect((await restore(one.id)).status).toBe(404)
  expect((await restore(old.id)).status).toBe(200)
  expect(await content()).toBe('one')
  // What it had in between is kept in turn, and can come back as a file beside it.
  const [two] = await earlier()
  expect(await json(person.call('POST', '/artifacts/batch_restore', { ids: [two.id] }))).toMatchObject({
    items: [{ refusal: null }],
  })
  expect(await (await person.call('GET', `/artifacts/${two.id}/content`)).text()).toBe('two')
  expect(await earlier()).toEqual([])
})

test('content of a file with the longest name can be replaced, and restored beside it', async () => {
  const upload = async (body: object) => {
    const id = await begin(3)
    await put(id, 1, Buffer.from('abc'))
    return (await json(finish(id, body))).data
  }
  const name = `${'😀'.repeat(496)}.bin`
  const { id } = await upload({ name })
  expect(await upload({ name, replaces: id })).toMatchObject({ id, name })
  const [earlier] = (await json(person.call('GET', `/artifacts/${id}/earlier_contents`))).items
  expect([...earlier.name]).toHaveLength(500)
  expect(await json(person.call('POST', '/artifacts/batch_restore', { ids: [earlier.id] }))).toMatchObject({
    items: [{ refusal: null }],
  })
})

test('nobody else continues an upload, and a canceled one is gone', async () => {
  const id = await begin(3)
  const stranger = await signedIn(workspace)
  expect((await put(id, 1, Buffer.from('abc'), stranger)).status).toBe(404)
  expect((await person.call('DELETE', `/artifacts/uploads/${id}`)).status).toBe(204)
  expect((await put(id, 1, Buffer.from('abc'))).status).toBe(404)
})

test('a file above the limit is refused before any of it is sent', async () => {
  const body = { size_bytes: Number.MAX_SAFE_INTEGER }
  expect(await json(person.call('POST', '/artifacts/uploads', body))).toMatchObject({
    status: 422,
    errors: [{ pointer: '/size_bytes', detail: expect.stringContaining('A file has at most') }],
  })
})

test('parts that nobody finished are kept for a week, also by the sweep, and removed then', async () => {
  const id = await begin(3)
  await put(id, 1, Buffer.from('abc'))
  const { jobs } = workspace.deps.wiring
  await jobs.get('forget_artifact_uploads')!.run({}, workspace.deps)
  expect(await received(id)).toEqual([1])
  await workspace.sql`update artifact_uploads set created_at = now() - interval '8 days' where id = ${id}`
  await jobs.get('forget_artifact_uploads')!.run({}, workspace.deps)
  expect((await person.call('GET', `/artifacts/uploads/${id}`)).status).toBe(404)
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, type Person, signedIn } from '../../conversations/person.factory.ts'
import { addMember, operatorCtx } from '../../projects/index.ts'

let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
})
afterAll(() => workspace.close())
beforeEach(async () => {
  await workspace.sql`delete from artifact_trash`
  for (const { id } of (await json(person.call('GET', '/artifacts?recursive=false'))).items)
    await person.call('DELETE', `/artifacts/${id}`)
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into artifacts freely
const make = async (values: Record<string, unknown>): Promise<any> =>
  (await json(person.call('POST', '/artifacts', values))).data
const trash = async (...ids: string[]) => (await json(person.call('POST', '/artifacts/batch_trash', { ids }))).items
const restore = async (...ids: string[]) => (await json(person.call('POST', '/artifacts/batch_restore', { ids }))).items
const inTrash = async () => (await json(person.call('GET', '/artifacts/trash'))).items
const pathsOf = async () =>
  (await json(person.call('GET', '/artifacts'))).items.map(
    ({ folder_path, name }: Record<string, string>) => `${folder_path}/${name}`,
  )

test('what is deleted is gone everywhere, and is restored with its text, its connections and its id', async () => {
  const folder = await make({ type: 'folder', name: 'Research' })
  const note = await make({ name: 'note', parent_id: folder.id, markdown_content: 'Words' })
  const other = await make({ name: 'other' })
  await person.call('PUT', `/connections/${note.id}/${other.id}`, {})
  expect(await trash(folder.id)).toEqual([{ id: folder.id, refusal: null }])
  expect((await person.call('GET', `/artifacts/${note.id}`)).status).toBe(404)
  expect(await pathsOf()).toEqual(['/other'])
  expect(await inTrash()).toMatchObject([
    { id: folder.id, type: 'folder', name: 'Research', item_count: 1, deleted_by: 'Talker', folder_path: '' },
  ])

  expect(await restore(folder.id)).toEqual([{ id: folder.id, refusal: null }])
  expect(await pathsOf()).toEqual(['Research/note', '/other', '/Research'])
  expect((await json(person.call('GET', `/artifacts/${note.id}`))).data).toMatchObject({
    markdown_content: 'Words',
    connectedContext: [{ resourceType: 'artifact', resourceId: other.id }],
  })
  expect(await (await person.call('GET', `/artifacts/${note.id}/content`)).text()).toBe('Words')
  expect(await inTrash()).toEqual([])
  expect((await json(person.call('GET', '/counts'))).artifacts).toBe(2)
})

test('what was in a folder that is gone comes back to the root', async () => {
  const folder = await make({ type: 'folder', name: 'Research' })
  const note = await make({ name: 'note', parent_id: folder.id })
  await trash(note.id)
  await trash(folder.id)
  await restore(note.id)
  expect(await pathsOf()).toEqual(['/note'])
})

test('what was in a folder that was renamed comes back to it', async () => {
  const folder = await make({ type: 'folder', name: 'Research' })
  const note = await make({ name: 'note', parent_id: folder.id })
  await trash(note.id)
  await person.call('PATCH', `/artifacts/${folder.id}`, { name: 'Studies' })
  await restore(note.id)
  expect(await pathsOf()).toEqual(['Studies/note', '/Studies'])
})

test('what has its name taken stays in the trash, and the others come back', async () => {
  const [a, b] = [await make({ name: 'a' }), await make({ name: 'b' })]
  await trash(a.id, b.id)
  await make({ name: 'A' })
  expect(await restore(a.id, b.id)).toMatchObject([
    { id: a.id, refusal: expect.stringContaining('something called "a" in the root already') },
    { id: b.id, refusal: null },
  ])
  expect(await inTrash()).toMatchObject([{ id: a.id }])
})

test('what somebody restores twice at once comes back once', async () => {
  const a = await make({ name: 'a' })
  await trash(a.id)
  const outcomes = await Promise.all([restore(a.id), restore(a.id)])
  expect(outcomes.flat().map(({ refusal }) => refusal === null)).toEqual(expect.arrayContaining([true, false]))
  expect((await json(person.call('GET', '/counts'))).artifacts).toBe(1)
})

describe('bytes', () => {
  const keysOf = async (id: string) =>
    (await workspace.sql<{ key: string }[]>`select content_key as key from artifacts where id = ${id}`)[0]!.key
  const removals = async () =>
    (
      await workspace.sql<{ payload: { keys: string[] } }[]>`
        select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'remove_bytes'`
    ).flatMap(({ payload }) => payload.keys)

  test('are kept while it is in the trash, and removed when it is deleted for good', async () => {
    const note = await make({ name: 'note' })
    const key = await keysOf(note.id)
    await trash(note.id)
    expect(await removals()).not.toContain(key)
    await workspace.deps.wiring.jobs.get('sweep_artifact_bytes')!.run({}, workspace.deps)
    expect(await workspace.store.stat(key)).toBeDefined()
    expect((await person.call('DELETE', `/artifacts/trash/${note.id}`)).status).toBe(204)
    expect(await removals()).toContain(key)
    expect((await person.call('DELETE', `/artifacts/trash/${note.id}`)).status).toBe(404)
  })

  test('are removed when it has been in the trash for 30 days', async () => {
    const [old, fresh] = [await make({ name: 'old' }), await make({ name: 'fresh' })]
    const key = await keysOf(old.id)
    await trash(old.id, fresh.id)
    await workspace.sql`update artifact_trash set deleted_at = now() - interval '31 days' where id = ${old.id}`
    await workspace.deps.wiring.jobs.get('empty_artifact_trash')!.run({}, workspace.deps)
    expect(await inTrash()).toMatchObject([{ id: fresh.id }])
    expect(await removals()).toContain(key)
  })
})

test('nobody sees or restores what another project deleted, and a viewer changes nothing', async () => {
  const note = await make({ name: 'note' })
  await trash(note.id)
  const stranger = await signedIn(workspace)
  expect((await json(stranger.call('GET', '/artifacts/trash'))).items).toEqual([])
  const outcome = await json(stranger.call('POST', '/artifacts/batch_restore', { ids: [note.id] }))
  expect(outcome.items[0].refusal).toContain('There is no artifact in the trash')
  expect((await stranger.call('DELETE', `/artifacts/trash/${note.id}`)).status).toBe(404)

  const [project] = await workspace.sql<{ id: string; organizationId: string; name: string }[]>`
    select id, organization_id as "organizationId", name from projects where id = ${person.projectId}`
  await addMember(operatorCtx(workspace.deps, project!), stranger.userId, 'viewer')
  const here = { 'x-project-id': person.projectId }
  expect((await json(stranger.call('GET', '/artifacts/trash', undefined, here))).items).toHaveLength(1)
  for (const path of ['batch_trash', 'batch_restore', 'batch_move'])
    expect((await stranger.call('POST', `/artifacts/${path}`, { ids: [note.id], parent_id: null }, here)).status).toBe(
      403,
    )
  expect((await stranger.call('DELETE', `/artifacts/trash/${note.id}`, undefined, here)).status).toBe(403)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'

let workspace: Workspace
const lines: string[] = []
beforeAll(async () => {
  workspace = await openWorkspace({
    logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
  })
})
afterAll(() => workspace.close())

test('a write to a full disk is a 507, is logged, and works again once there is space', async () => {
  const { admin } = await workspace.project()
  await workspace.sql`
    create function no_room() returns trigger language plpgsql as
    'begin raise exception ''could not extend file: No space left on device'' using errcode = ''53100''; end'`
  await workspace.sql`create trigger no_room before insert on artifacts for each row execute function no_room()`
  const write = () => admin.api.post('/artifacts', { name: 'Notes', markdown_content: 'x' })

  const refused = await write()
  expect(refused).toMatchObject({ status: 507, body: { code: 'storage_full' } })
  expect(refused.headers['retry-after']).toBe('60')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { code: 'storage_full', msg: 'The disk of the server has no space left; nothing was changed. Tell the operator.' },
  ])
  expect((await admin.api.get('/health')).status).toBe(200)

  await workspace.sql`drop trigger no_room on artifacts`
  expect((await write()).status).toBe(201)
})

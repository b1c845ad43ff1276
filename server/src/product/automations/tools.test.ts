import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import type { Ctx } from '../../kernel/context.ts'
import { createAutomation, runsOf, type Shown, startRun } from './automation.factory.ts'
import { automationTools } from './tools.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const project = await ws.project()
  const { admin } = project
  const actor = { ...project.operator.actor, userId: admin.userId, organizationRole: 'member' as const }
  const ctx: Ctx = { ...project.operator, actor: { ...actor, origin: 'agent' } }
  const use = (name: string, input: object = {}, as: Ctx = ctx) =>
    automationTools.find((tool) => tool.name === name)!.run(as, input) as Promise<Shown>
  return { project, api: admin.api, admin, ctx, use }
}

it('tools do what the operations do, for the person the agent acts for', async () => {
  const { api, admin, use } = await setUp()
  const made = await use('create_automation', { name: 'Report', user_prompt: 'Do.', triggers: [] })
  expect(made.owner.id).toBe(admin.userId)
  expect((await api.get(`/automations/${made.id}`)).body.data).toEqual(made)
  const changed = await use('update_automation', { automation_id: made.id, values: { name: 'Weekly report' } })
  expect(changed.name).toBe('Weekly report')
  expect(await use('get_automation', { automation_id: made.id })).toEqual(changed)
  expect((await use('list_automations', { name: 'weekly' })).items).toEqual([changed])
  const run = await use('run_automation', { automation_id: made.id })
  expect(await use('list_automation_runs', { automation_id: made.id })).toEqual({ items: [run], total: 1 })
  await api.post(`/automations/${made.id}/runs/${run.id}/cancel`)
  expect(await use('delete_automation', { automation_id: made.id })).toEqual({ deleted: made.id })
  expect((await api.get(`/automations/${made.id}`)).status).toBe(404)
})

it('tools have the rights of that person only', async () => {
  const { project, use } = await setUp()
  const other = await project.join('editor')
  const { id } = await createAutomation(other.api)
  for (const [tool, input] of [
    ['update_automation', { automation_id: id, values: { name: 'x' } }],
    ['run_automation', { automation_id: id }],
    ['delete_automation', { automation_id: id }],
  ] as const)
    await expect(use(tool, input)).rejects.toMatchObject({ status: 403, code: 'not_owner' })
})

it('an agent of an automation cannot start that automation again', async () => {
  const { api, ctx, use } = await setUp()
  const [mine, other] = [await createAutomation(api), await createAutomation(api)]
  const run = await startRun(api, mine.id)
  const inRun: Ctx = { ...ctx, actor: { ...ctx.actor, origin: 'automation' }, requestId: run.id }
  await expect(use('run_automation', { automation_id: mine.id }, inRun)).rejects.toMatchObject({
    code: 'starts_itself',
  })
  const second = await use('run_automation', { automation_id: other.id }, inRun)
  const inSecond = { ...inRun, requestId: second.id }
  await expect(use('run_automation', { automation_id: mine.id }, inSecond)).rejects.toMatchObject({
    code: 'starts_itself',
  })
  expect(await runsOf(api, mine.id)).toHaveLength(1)
})

it('a tool is offered once and says what it does', () => {
  const names = automationTools.map((tool) => tool.name)
  expect(new Set(names).size).toBe(names.length)
  for (const tool of automationTools) expect([tool.domain, tool.description.length > 10]).toEqual(['automations', true])
})

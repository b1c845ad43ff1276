import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { NEVER, TIME, UUID } from '../../documents/document.factory.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import { builtInOf, createAutomation, runsOf, type Shown, startNode, startRun } from '../automation.factory.ts'
import { failedOutcome } from './run.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp(values = {}) {
  const project = await ws.project()
  const automation = await createAutomation(project.admin.api, values)
  return {
    project,
    admin: project.admin,
    api: project.admin.api,
    id: automation.id,
    path: `/automations/${automation.id}`,
  }
}

/** No node works in these tests unless one is started, so what was started stays `scheduled`. */
describe('POST …/runs', () => {
  it('leaves a run that waits, with every field', async () => {
    const { api, id, path } = await setUp({ triggers: [{ trigger_type: 'manual' }] })
    const { status, body } = await api.post(`${path}/runs`)
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        object: 'automation_run',
        id: expect.stringMatching(UUID),
        automation_id: id,
        status: 'scheduled',
        trigger_type: 'manual',
        trigger_id: null,
        scheduled_for: null,
        subject: null,
        retry_of: null,
        chain_id: expect.stringMatching(UUID),
        input: null,
        dry_run: false,
        cancel_requested: false,
        conversation_id: expect.stringMatching(UUID),
        model: null,
        input_tokens: null,
        output_tokens: null,
        cost: null,
        changes: [],
        error: null,
        created_at: expect.stringMatching(TIME),
        started_at: null,
        completed_at: null,
      },
    })
    const progress = { tool_calls: 0, last_tool: null, last_at: expect.stringMatching(TIME) }
    const more = { text: null, progress, writes: [] }
    expect((await api.get(`${path}/runs/${body.data.id}`)).body).toEqual({ data: { ...body.data, ...more } })
  })

  it('has its conversation from the beginning, owned by the owner', async () => {
    const { project, api, id } = await setUp()
    const run = await startRun(api, id)
    const { data } = (await api.get(`/agent_conversations/${run.conversation_id}`)).body
    expect(data).toMatchObject({
      origin: 'automation',
      title: 'Morning report',
      automation: { automation_id: id, run_id: run.id, run_status: 'scheduled', run_started_at: null },
      active_turn: { is_active: false },
    })
    expect(data.content.map((one: Shown) => one.role)).toEqual(['user'])
    const other = await project.join('admin')
    expect((await other.api.get(`/agent_conversations/${run.conversation_id}`)).status).toBe(404)
  })

  it('takes no body, an empty one, {} and one that says what it is about', async () => {
    const { api, path } = await setUp()
    const { id } = await createWorkOrder(api)
    const json = { 'content-type': 'application/json' }
    const subject = { resourceType: 'work_order', resourceId: id }
    for (const body of [undefined, '', {}, { subject: null }, { subject }]) {
      const { status, body: answer } = await api.post(`${path}/runs`, body, json)
      expect([status, answer.data.subject]).toEqual([201, (body as Shown)?.subject ?? null])
    }
  })

  it('refuses to be about what is not there or is something else', async () => {
    const { api, path } = await setUp()
    const other = await ws.project()
    const foreign = await createWorkOrder(other.admin.api)
    const { id } = await createWorkOrder(api)
    const about = async (resourceType: string, resourceId: string) => {
      const { status, body } = await api.post(`${path}/runs`, { subject: { resourceType, resourceId } })
      return [status, body.errors[0].pointer]
    }
    expect(await about('work_order', NEVER)).toEqual([404, '/subject/resourceId'])
    expect(await about('work_order', foreign.id)).toEqual([404, '/subject/resourceId'])
    expect(await about('blueprint', id)).toEqual([422, '/subject/resourceType'])
    expect(await about('folder', id)).toEqual([422, '/subject/resourceType'])
    expect(await runsOf(api, path.split('/')[2]!)).toEqual([])
  })

  it('is refused while the automation is off', async () => {
    const { api, path } = await setUp()
    const run = await startRun(api, path.split('/')[2]!)
    await api.post(`${path}/runs/${run.id}/cancel`)
    await api.patch(path, { enabled: false })
    const answers = [await api.post(`${path}/runs`), await api.post(`${path}/runs/${run.id}/retry`)]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([409, 'automation_disabled']))
  })

  it('is done once for one Idempotency-Key', async () => {
    const { api, id, path } = await setUp()
    const key = { 'idempotency-key': 'k' }
    const [first, second] = [await api.post(`${path}/runs`, {}, key), await api.post(`${path}/runs`, {}, key)]
    expect(second.body).toEqual(first.body)
    expect(await runsOf(api, id)).toHaveLength(1)
  })

  it('leaves an event', async () => {
    const { api, id } = await setUp()
    const run = await startRun(api, id)
    const [event] = await ws.sql`select kind, payload from events where subject_id = ${run.id}`
    expect(event).toEqual({ kind: 'automation_run.scheduled', payload: { automation_id: id, trigger_type: 'manual' } })
  })

  it('needs an item when feedback triage is started', async () => {
    const { admin } = await ws.project()
    const built = await builtInOf(admin.api)
    await admin.api.patch(`/automations/${built.id}`, { enabled: true })
    const { status, body } = await admin.api.post(`/automations/${built.id}/runs`)
    expect([status, body.errors[0].pointer]).toEqual([422, '/subject'])
  })
})

describe('GET …/runs', () => {
  it('pages through all of them, newest first', async () => {
    const { api, id, path } = await setUp()
    const made: string[] = []
    for (let index = 0; index < 5; index++) made.unshift((await startRun(api, id)).id)
    const pages = await Promise.all([1, 2, 3, 4].map((page) => api.get(`${path}/runs?page_size=2&page=${page}`)))
    expect(pages.flatMap(({ body }) => body.items.map((item: Shown) => item.id))).toEqual(made)
    for (const [index, { body }] of pages.entries())
      expect([body.total, body.page, body.page_size, body.total_pages]).toEqual([5, index + 1, 2, 3])
    expect(pages[0]!.headers.link).toContain('rel="next"')
  })

  it('filters by status and refuses others', async () => {
    const { api, id, path } = await setUp()
    const run = await startRun(api, id)
    await startRun(api, id)
    await api.post(`${path}/runs/${run.id}/cancel`)
    const { body } = await api.get(`${path}/runs?status=cancelled,failed`)
    expect([body.total, body.items[0].id]).toEqual([1, run.id])
    expect((await api.get(`${path}/runs?status=done`)).status).toBe(422)
    expect((await api.get(`${path}/runs?page_size=101`)).status).toBe(422)
  })

  it('knows nothing of runs of other automations and projects', async () => {
    const { api, id } = await setUp()
    const run = await startRun(api, id)
    const other = await createAutomation(api)
    const stranger = await setUp()
    expect((await api.get(`/automations/${other.id}/runs/${run.id}`)).status).toBe(404)
    for (const action of ['cancel', 'retry'])
      expect((await api.post(`/automations/${other.id}/runs/${run.id}/${action}`)).status).toBe(404)
    expect((await stranger.api.get(`/automations/${id}/runs/${run.id}`)).status).toBe(404)
    expect((await stranger.api.post(`${stranger.path}/runs/${run.id}/cancel`)).status).toBe(404)
  })
})

describe('POST …/cancel', () => {
  it('ends one that waits, once', async () => {
    const { api, id, path } = await setUp()
    const run = await startRun(api, id)
    const { status, body } = await api.post(`${path}/runs/${run.id}/cancel`)
    expect([status, body.data.status, body.data.completed_at]).toEqual([200, 'cancelled', expect.any(String)])
    const conversation = (await api.get(`/agent_conversations/${body.data.conversation_id}`)).body.data
    expect(conversation).toMatchObject({
      origin: 'automation',
      automation: { run_id: run.id, run_status: 'cancelled' },
    })
    const again = await api.post(`${path}/runs/${run.id}/cancel`)
    expect([again.status, again.body.code]).toEqual([409, 'run_finished'])
  })

  it('is for the owner and for project admins', async () => {
    const project = await ws.project()
    const [owner, editor] = [await project.join('editor'), await project.join('editor')]
    const { id } = await createAutomation(owner.api)
    const [first, second] = [await startRun(owner.api, id), await startRun(owner.api, id)]
    const cancel = (api: typeof owner.api, run: Shown) => api.post(`/automations/${id}/runs/${run.id}/cancel`)
    expect((await cancel(editor.api, first)).body.code).toBe('not_owner')
    expect((await cancel(project.admin.api, first)).status).toBe(200)
    expect((await cancel(owner.api, second)).status).toBe(200)
    expect((await project.admin.api.post(`/automations/${id}/runs/${first.id}/retry`)).body.code).toBe('not_owner')
  })
})

describe('POST …/retry', () => {
  it('does the same again as another run', async () => {
    const { api, id, path } = await setUp()
    const workOrder = await createWorkOrder(api)
    const subject = { resourceType: 'work_order', resourceId: workOrder.id }
    const run = (await api.post(`${path}/runs`, { subject })).body.data
    expect((await api.post(`${path}/runs/${run.id}/retry`)).body.code).toBe('run_not_failed')
    await api.post(`${path}/runs/${run.id}/cancel`)
    const { status, body } = await api.post(`${path}/runs/${run.id}/retry`)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ status: 'scheduled', trigger_type: 'manual', subject, retry_of: run.id })
    expect(body.data.id).not.toBe(run.id)
    expect((await runsOf(api, id)).map((one) => one.status)).toEqual(['scheduled', 'cancelled'])
  })
})

it('switching an automation off cancels waiting runs; switched on again, it starts with an empty queue', async () => {
  const { api, id, path } = await setUp()
  const other = await createAutomation(api)
  for (const one of [id, id, other.id]) await startRun(api, one)
  await api.patch(path, { name: 'Renamed' })
  expect((await runsOf(api, id)).map((run) => run.status)).toEqual(['scheduled', 'scheduled'])
  await api.patch(path, { enabled: false })
  const runs = await runsOf(api, id)
  expect(runs.map((run) => run.status)).toEqual(['cancelled', 'cancelled'])
  expect(runs[0]!.error).toContain('switched off')
  const { data } = (await api.get(`/agent_conversations/${runs[0]!.conversation_id}`)).body
  expect(data.automation.run_status).toBe('cancelled')
  expect(data.content.at(-1)).toMatchObject({ role: 'assistant', is_final: true, text: runs[0]!.error })
  expect((await runsOf(api, other.id)).map((run) => run.status)).toEqual(['scheduled'])
  await api.patch(path, { enabled: true })
  expect((await startRun(api, id)).status).toBe('scheduled')
})

describe('an automation with a run that has not ended', () => {
  it('cannot be deleted', async () => {
    const { api, id, path } = await setUp()
    const run = await startRun(api, id)
    expect((await api.delete(path)).body.code).toBe('run_active')
    await api.post(`${path}/runs/${run.id}/cancel`)
    expect((await api.delete(path)).status).toBe(204)
    expect(await ws.sql`select 1 from automation_runs where id = ${run.id}`).toHaveLength(0)
  })
})

describe('the totals of thirty days', () => {
  it('count runs that succeeded and failed, not those that were cancelled, still go on or are older', async () => {
    const { api, id, path } = await setUp()
    const other = await createAutomation(api, { name: 'Other' })
    const node = startNode(ws, {
      execute: async (_deps, { run }) => {
        if (run.automationId === other.id) throw new Error('broken')
        return failedOutcome('no', run.subject ? { status: 'succeeded', error: null } : {})
      },
    })
    const workOrder = await createWorkOrder(api)
    for (const subject of [null, null, { resourceType: 'work_order', resourceId: workOrder.id }])
      await api.post(`${path}/runs`, { subject })
    await startRun(api, other.id)
    const totals = async (automationId: string) => {
      const { data } = (await api.get(`/automations/${automationId}`)).body
      return [data.total_runs_30d, data.successful_runs_30d, data.failed_runs_30d]
    }
    await eventually(async () => (await totals(id))[0] === 3 && (await totals(other.id))[0] === 1)
    await node.stop(1_000)
    expect(await totals(id)).toEqual([3, 1, 2])
    expect(await totals(other.id)).toEqual([1, 0, 1])
    const cancelled = await startRun(api, id)
    await api.post(`${path}/runs/${cancelled.id}/cancel`)
    await startRun(api, id)
    expect(await totals(id)).toEqual([3, 1, 2])
    await ws.sql`update automation_runs set completed_at = now() - interval '30 days 1 second'
      where automation_id = ${id} and status = 'succeeded'`
    expect(await totals(id)).toEqual([2, 0, 2])
    const { items } = (await api.get('/automations?name=other')).body
    expect(items.map((item: Shown) => [item.total_runs_30d, item.failed_runs_30d])).toEqual([[1, 1]])
  })
})

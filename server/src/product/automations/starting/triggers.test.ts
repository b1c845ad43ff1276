import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Client, eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { deliverEvent } from '../../../kernel/events.ts'
import { startWorker } from '../../../kernel/jobs/jobs.ts'
import { createDocument, KINDS } from '../../documents/document.factory.ts'
import { submitItem } from '../../feedback/feedback.factory.ts'
import { addBlueprint, openDocument } from '../../live-texts/live.factory.ts'
import { addLabel } from '../../work-orders/index.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import { builtInOf, createAutomation, runsOf, startRun } from '../automation.factory.ts'
import { recordCodePush } from './code-pushes.ts'

let ws: Workspace
let stop: () => Promise<void>
beforeAll(async () => {
  ws = await openWorkspace()
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const worker = startWorker({ sql: ws.sql, store: ws.store, wiring: ws.deps.wiring, log })
  stop = async () => {
    await worker.stop(5_000)
  }
})
afterAll(async () => {
  await stop()
  await ws.close()
})

const [requirements, blueprints] = KINDS.map(([, kind]) => kind) as [(typeof KINDS)[0][1], (typeof KINDS)[0][1]]
const push = { repository: 'shop/checkout', ref: 'refs/heads/main', commit_id: '9fceb02' }

const setStatus = (api: Client, id: string, status: string) =>
  api.post('/work_orders/batch_update', {
    request_id: 'r',
    operations: [
      { operation_id: 'a', operation_type: 'UpdateStatus', target: { work_order_id: id }, patch: { status } },
    ],
  })

/** Something that comes after all others in the queue, so that what did not happen can be known. */
async function settled(api: Client): Promise<void> {
  const marker = await createAutomation(api, { name: 'Marker', triggers: [{ trigger_type: 'code_push' }] })
  await api.post('/code_pushes', push)
  await eventually(async () => (await runsOf(api, marker.id)).length > 0)
  await eventually(async () => {
    const [row] = await ws.sql`select count(*)::int as left from graphile_worker._private_jobs`
    return row!.left === 0
  })
}

describe('an event starts the automations that wait for it', () => {
  const causes: [string, (api: Client) => Promise<{ type: string; id: string }>][] = [
    [
      'requirements_updated',
      async (api) => {
        const { id } = await createDocument(api, requirements)
        await api.patch(`/requirements/${id}`, { markdown_content: 'New' })
        return { type: 'requirements_document', id }
      },
    ],
    [
      'blueprint_updated',
      async (api) => {
        const { id } = await createDocument(api, blueprints)
        await api.patch(`/blueprints/${id}`, { markdown_content: 'New' })
        return { type: 'blueprint', id }
      },
    ],
    [
      'work_order_status_changed',
      async (api) => {
        const { id } = await createWorkOrder(api)
        await setStatus(api, id, 'ready')
        return { type: 'work_order', id }
      },
    ],
    [
      'code_push',
      async (api) => {
        const { body } = await api.post('/code_pushes', push)
        return { type: 'code_push', id: body.data.id }
      },
    ],
  ]

  it.each(causes)('%s', async (trigger_type, cause) => {
    const { admin } = await ws.project()
    const waiting = await createAutomation(admin.api, { triggers: [{ trigger_type }, { trigger_type }] })
    const other = await createAutomation(admin.api, {
      triggers: causes.filter(([type]) => type !== trigger_type).map(([type]) => ({ trigger_type: type })),
    })
    const { type, id } = await cause(admin.api)
    const [run, ...more] = await eventually(async () => {
      const runs = await runsOf(admin.api, waiting.id)
      return runs.length > 0 && runs
    })
    expect(more).toEqual([])
    expect(run).toMatchObject({
      status: 'scheduled',
      trigger_type,
      trigger_id: waiting.triggers[0].id,
      subject: { resourceType: type, resourceId: id },
    })
    expect(await runsOf(admin.api, other.id)).toEqual([])
  })

  it('feedback_submitted', async () => {
    const project = await ws.project()
    const { api } = project.admin
    const waiting = await createAutomation(api, { triggers: [{ trigger_type: 'feedback_submitted' }] })
    const item = await submitItem(api, await project.join('editor', 'reporting'))
    const [run] = await eventually(async () => {
      const runs = await runsOf(api, waiting.id)
      return runs.length > 0 && runs
    })
    expect(run).toMatchObject({
      trigger_type: 'feedback_submitted',
      subject: { resourceType: 'feedback_item', resourceId: item.id },
    })
    expect(await runsOf(api, (await builtInOf(api)).id)).toEqual([])
  })

  it('typing starts one run, after the author pauses', async () => {
    const { admin } = await ws.project()
    const waiting = await createAutomation(admin.api, { triggers: [{ trigger_type: 'blueprint_updated' }] })
    const id = await addBlueprint(admin, 'one\n')
    const person = await openDocument(ws.app, admin, id)
    const events = () => ws.sql<{ id: string }[]>`
      select id from events where subject_id = ${id} and kind = 'blueprint.updated' order by id`
    for (const [at, text] of [' two', ' three'].entries()) {
      person.type(0, text)
      await eventually(async () => (await events()).length > at)
    }
    const key = `start_after_typing ${id}`
    const last = (await events()).at(-1)!.id
    await eventually(async () => {
      const [job] =
        await ws.sql`select payload from graphile_worker._private_jobs where key = ${key} and run_at > now()`
      return job?.payload.id === last
    })
    expect(await runsOf(admin.api, waiting.id)).toEqual([])
    await ws.sql`update graphile_worker._private_jobs set run_at = now() where key = ${key}`
    const runs = await eventually(async () => {
      const runs = await runsOf(admin.api, waiting.id)
      return runs.length > 0 && runs
    })
    expect(runs.length).toBe(1)
    expect(runs[0]).toMatchObject({ subject: { resourceType: 'blueprint', resourceId: id } })
  })

  it('once, also when it is delivered again', async () => {
    const project = await ws.project()
    const { api } = project.admin
    const { id } = await createAutomation(api, { triggers: [{ trigger_type: 'code_push' }] })
    await api.post('/code_pushes', push)
    await eventually(async () => (await runsOf(api, id)).length === 1)
    const [event] = await ws.sql`select id from events where project_id = ${project.id} and kind = 'code.pushed'`
    const again = () => deliverEvent({ projectId: project.id, id: event!.id }, ws.deps)
    await Promise.all([again(), again(), again()])
    expect(await runsOf(api, id)).toHaveLength(1)
    expect((await api.get(`/automations/${id}/runs`)).body.total).toBe(1)
  })

  it('not while they are off, not in other projects, and not without the trigger', async () => {
    const [mine, other] = [await ws.project(), await ws.project()]
    const { api } = mine.admin
    const off = await createAutomation(api, { triggers: [{ trigger_type: 'code_push' }] })
    await api.patch(`/automations/${off.id}`, { enabled: false })
    const without = await createAutomation(api)
    const foreign = await createAutomation(other.admin.api, { triggers: [{ trigger_type: 'code_push' }] })
    await api.post('/code_pushes', push)
    await settled(api)
    expect(await runsOf(api, off.id)).toEqual([])
    expect(await runsOf(api, without.id)).toEqual([])
    expect(await runsOf(other.admin.api, foreign.id)).toEqual([])
  })

  it('while another run waits, unless the automation skips those', async () => {
    const { admin } = await ws.project()
    const { api } = admin
    const triggers = [{ trigger_type: 'work_order_status_changed' }]
    const [queues, skips] = [
      await createAutomation(api, { triggers }),
      await createAutomation(api, { triggers, concurrency: 'skip' }),
    ]
    const { id } = await createWorkOrder(api)
    for (const status of ['ready', 'blocked']) await setStatus(api, id, status)
    await settled(api)
    expect([(await runsOf(api, queues.id)).length, (await runsOf(api, skips.id)).length]).toEqual([2, 1])
  })

  it('not for a write that changed nothing', async () => {
    const { admin } = await ws.project()
    const { id } = await createAutomation(admin.api, {
      triggers: [{ trigger_type: 'work_order_status_changed' }, { trigger_type: 'requirements_updated' }],
    })
    const workOrder = await createWorkOrder(admin.api, { status: 'ready' })
    await setStatus(admin.api, workOrder.id, 'ready')
    const document = await createDocument(admin.api, requirements)
    await admin.api.patch(`/requirements/${document.id}`, { markdown_content: '' })
    await settled(admin.api)
    expect(await runsOf(admin.api, id)).toEqual([])
  })
})

it('an event that no automation waits for does not go through the queue', async () => {
  const quiet = await openWorkspace()
  onTestFinished(quiet.close)
  const { admin } = await quiet.project()
  const { id } = await createWorkOrder(admin.api)
  const queued = async () => (await quiet.sql`select 1 from graphile_worker._private_jobs`).length
  await setStatus(admin.api, id, 'ready')
  expect(await queued()).toBe(0)
  const waiting = await createAutomation(admin.api, { triggers: [{ trigger_type: 'work_order_status_changed' }] })
  await setStatus(admin.api, id, 'blocked')
  expect(await queued()).toBe(1)
  await admin.api.patch(`/automations/${waiting.id}`, { enabled: false })
  await setStatus(admin.api, id, 'ready')
  expect(await queued()).toBe(1)
})

describe('POST /code_pushes', () => {
  it('answers with the push and keeps what it said for the run', async () => {
    const project = await ws.project()
    const commits = [{ id: '9fceb02', message: 'Round the total once', author: 'Ada' }]
    const { status, body } = await project.admin.api.post('/code_pushes', { ...push, commits })
    expect(status).toBe(201)
    expect(body.data).toEqual({ object: 'code_push', id: expect.any(String), ...push })
    const [event] = await ws.sql`select payload from events where subject_id = ${body.data.id}`
    expect(event!.payload).toEqual({ ...push, pushed_by: null, commits })
  })

  it.each([
    [{ ref: 'x', commit_id: 'y' }, '/repository'],
    [{ ...push, repository: '' }, '/repository'],
    [{ ...push, ref: 7 }, '/ref'],
    [{ ...push, commits: [{}] }, '/commits/0/id'],
    [{ ...push, commits: Array(101).fill({ id: 'a' }) }, '/commits'],
  ])('refuses %j', async (body, pointer) => {
    const { admin } = await ws.project()
    const answer = await admin.api.post('/code_pushes', body)
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer])
  })

  it('is not for viewers', async () => {
    const project = await ws.project()
    const viewer = await project.join('viewer')
    expect((await viewer.api.post('/code_pushes', push)).status).toBe(403)
  })
})

describe('what a run changes', () => {
  /** A push that a run of the automation has made. */
  async function pushFrom(project: Awaited<ReturnType<Workspace['project']>>, runId: string) {
    const actor = { ...project.operator.actor, origin: 'automation' as const }
    const { repository, ref, commit_id: commitId } = push
    const pushed = { repository, ref, commitId, pushedBy: null, commits: [] }
    await recordCodePush({ ...project.operator, actor, requestId: runId }, pushed)
  }

  it('starts other automations, but never the one that did it, nor one that led to it', async () => {
    const project = await ws.project()
    const { api } = project.admin
    const triggers = [{ trigger_type: 'code_push' }]
    const [a, b] = [await createAutomation(api, { triggers }), await createAutomation(api, { triggers })]
    const first = await startRun(api, a.id)
    await pushFrom(project, first.id)
    const second = await eventually(async () => (await runsOf(api, b.id))[0])
    expect(await runsOf(api, a.id)).toHaveLength(1)
    await pushFrom(project, second.id)
    const events = await ws.sql`select id from events where project_id = ${project.id} and kind = 'code.pushed'`
    for (const { id } of events) await deliverEvent({ projectId: project.id, id }, ws.deps)
    expect((await runsOf(api, a.id)).map((run) => run.trigger_type)).toEqual(['manual'])
    expect(await runsOf(api, b.id)).toHaveLength(1)
  })

  it('is told from what a client says with the id of a run as its request id', async () => {
    const { admin } = await ws.project()
    const { id } = await createAutomation(admin.api, { triggers: [{ trigger_type: 'code_push' }] })
    const run = await startRun(admin.api, id)
    await admin.api.post('/code_pushes', push, { 'x-request-id': run.id })
    await eventually(async () => (await runsOf(admin.api, id)).length === 2)
  })
})

describe('a filter', () => {
  const started = async (api: Client, filter: object, trigger_type: string, cause: () => Promise<unknown>) => {
    const { id } = await createAutomation(api, { triggers: [{ trigger_type, filter }] })
    await cause()
    await settled(api)
    return (await runsOf(api, id)).length
  }

  it('of statuses starts it only for those', async () => {
    const { admin } = await ws.project()
    const { api } = admin
    const type = 'work_order_status_changed'
    const one = await createWorkOrder(api)
    const filter = { status_from: ['backlog'], status_to: ['ready', 'blocked'] }
    expect(await started(api, filter, type, () => setStatus(api, one.id, 'ready'))).toBe(1)
    expect(await started(api, filter, type, () => setStatus(api, one.id, 'blocked'))).toBe(0)
    const two = await createWorkOrder(api)
    expect(await started(api, filter, type, () => setStatus(api, two.id, 'in_review'))).toBe(0)
  })

  it('of paths, categories, labels and keys starts it only for those', async () => {
    const project = await ws.project()
    const { api } = project.admin
    const commits = [{ id: 'c', message: 'x', paths: ['server/src/app.ts'] }]
    const pushed = () => api.post('/code_pushes', { ...push, commits })
    expect(await started(api, { path: 'server/' }, 'code_push', pushed)).toBe(1)
    expect(await started(api, { path: 'web/' }, 'code_push', pushed)).toBe(0)
    const { id } = await createDocument(api, blueprints)
    let text = 0
    const write = () => api.patch(`/blueprints/${id}`, { markdown_content: `${++text}` })
    expect(await started(api, { category: 'custom' }, 'blueprint_updated', write)).toBe(1)
    expect(await started(api, { category: 'Components' }, 'blueprint_updated', write)).toBe(0)
    const reporter = await project.join('editor', 'reporting')
    const [key] = await ws.sql`select id::text, name from api_keys where user_id = ${reporter.userId}`
    const report = () => submitItem(api, reporter)
    expect(await started(api, { key: key!.id }, 'feedback_submitted', report)).toBe(1)
    expect(await started(api, { key: 'another' }, 'feedback_submitted', report)).toBe(0)
    const label = await addLabel(project.operator, { title: 'Checkout', color: 'gray' })
    await addLabel(project.operator, { title: 'Other', color: 'gray' })
    const type = 'work_order_status_changed'
    const workOrder = await createWorkOrder(api, { label_ids: [label.id] })
    expect(await started(api, { label: 'checkout' }, type, () => setStatus(api, workOrder.id, 'ready'))).toBe(1)
    expect(await started(api, { label: 'Other' }, type, () => setStatus(api, workOrder.id, 'blocked'))).toBe(0)
    const bare = await createWorkOrder(api)
    expect(await started(api, { label: 'Checkout' }, type, () => setStatus(api, bare.id, 'ready'))).toBe(0)
  })

  it('that has no meaning for the trigger is refused; one that has is shown', async () => {
    const { admin } = await ws.project()
    const values = { name: 'a', user_prompt: 'b' }
    const refused = await admin.api.post('/automations', {
      ...values,
      triggers: [{ trigger_type: 'code_push', filter: { status_to: ['ready'] } }],
    })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/triggers/0/filter/status_to'])
    const made = await createAutomation(admin.api, {
      triggers: [{ trigger_type: 'code_push', filter: { path: 'web/' } }],
    })
    expect(made.triggers[0].filter).toMatchObject({ path: 'web/', label: null })
    const same = await admin.api.patch(`/automations/${made.id}`, {
      triggers: [{ trigger_type: 'code_push', filter: { path: 'web/' } }],
    })
    expect(same.body.data.triggers[0].id).toBe(made.triggers[0].id)
  })
})

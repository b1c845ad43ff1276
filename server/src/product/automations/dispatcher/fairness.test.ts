import { describe, expect, it, onTestFinished } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { deliverEvent } from '../../../kernel/events.ts'
import { createAutomation, runsOf, startRun, succeededOutcome } from '../automation.factory.ts'
import { finishRun } from './claims.ts'
import { claimRun } from './queries.ts'
import { fireDueSchedules } from './ticks.ts'

const NODE = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const LIMIT = 500
const push = { repository: 'shop/checkout', ref: 'refs/heads/main', commit_id: '9fceb02' }

async function open() {
  const ws = await openWorkspace()
  onTestFinished(ws.close)
  return ws
}

/** So many runs that wait, without all that comes with one that somebody starts. */
const fillQueue = (ws: Workspace, projectId: string, automationId: string, howMany: number) => ws.sql`
  insert into automation_runs (project_id, id, chain_id, automation_id, status, trigger_type, created_at)
  select ${projectId}, gen_random_uuid(), gen_random_uuid(), ${automationId}, 'scheduled', 'manual', now() from generate_series(1, ${howMany})`

async function deliverPush(ws: Workspace, project: { id: string; admin: { api: Client } }) {
  await project.admin.api.post('/code_pushes', push)
  const [event] = await ws.sql`select id from events where project_id = ${project.id} and kind = 'code.pushed'
    order by id desc limit 1`
  await deliverEvent({ projectId: project.id, id: event!.id }, ws.deps)
}

describe('projects take turns', () => {
  it('so that one with very many runs keeps no other waiting', async () => {
    const ws = await open()
    const [busy, quiet, other] = [await ws.project(), await ws.project(), await ws.project()]
    const { id } = await createAutomation(busy.admin.api)
    for (let run = 0; run < 5; run++) await startRun(busy.admin.api, id)
    for (const { admin } of [quiet, other])
      for (let run = 0; run < 2; run++) await startRun(admin.api, (await createAutomation(admin.api)).id)
    const served: string[] = []
    for (let claimed = await claimRun(ws.sql, NODE, 60_000); claimed; claimed = await claimRun(ws.sql, NODE, 60_000)) {
      served.push(claimed.projectId)
      await finishRun(ws.deps, NODE, claimed, succeededOutcome())
    }
    const round = [busy.id, quiet.id, other.id]
    expect(served).toEqual([...round, ...round, busy.id, busy.id, busy.id])
  })
})

describe('a project whose runs wait in great number', () => {
  it('refuses to start or retry a run, and accepts one when there is room', async () => {
    const ws = await open()
    const project = await ws.project()
    const { api } = project.admin
    const { id } = await createAutomation(api)
    const cancelled = await startRun(api, id)
    await api.post(`/automations/${id}/runs/${cancelled.id}/cancel`)
    await fillQueue(ws, project.id, id, LIMIT)
    for (const path of [`/automations/${id}/runs`, `/automations/${id}/runs/${cancelled.id}/retry`]) {
      const { status, body, headers } = await api.post(path)
      expect([status, body.code, headers['retry-after']]).toEqual([429, 'too_many_runs', '60'])
    }
    const other = await ws.project()
    await startRun(other.admin.api, (await createAutomation(other.admin.api)).id)
    await ws.sql`delete from automation_runs where id =
      (select id from automation_runs where status = 'scheduled' and project_id = ${project.id} limit 1)`
    expect((await api.post(`/automations/${id}/runs`)).status).toBe(201)
  })

  it('leaves out what events start, and shows that once as a failed run with the reason', async () => {
    const ws = await open()
    const project = await ws.project()
    const { api } = project.admin
    const { id } = await createAutomation(api, { triggers: [{ trigger_type: 'code_push' }] })
    await fillQueue(ws, project.id, (await createAutomation(api)).id, LIMIT)
    const logged: object[] = []
    ws.deps.log = { ...console, warn: (what: object) => void logged.push(what) }
    for (let pushed = 0; pushed < 3; pushed++) await deliverPush(ws, project)
    const [run, ...more] = await runsOf(api, id)
    expect(more).toEqual([])
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('500 runs of this project were waiting'),
    })
    const { data } = (await api.get(`/agent_conversations/${run!.conversation_id}`)).body
    expect(data.content.at(-1).text).toBe(run!.error)
    expect(logged).toEqual(Array(3).fill({ project_id: project.id, automation_id: id }))
  })

  it('leaves out what the clock starts in the same way, and goes on with the next tick', async () => {
    const ws = await open()
    const project = await ws.project()
    const { api } = project.admin
    const { id } = await createAutomation(api, {
      triggers: [{ trigger_type: 'schedule', config: { preset: 'hourly' } }],
    })
    await fillQueue(ws, project.id, (await createAutomation(api)).id, LIMIT)
    ws.deps.log = { ...console, warn: () => undefined }
    expect(await fireDueSchedules(ws.deps, new Date(Date.now() + 3_700_000))).toBe(1)
    expect((await runsOf(api, id)).map((run) => run.status)).toEqual(['failed'])
    await ws.sql`delete from automation_runs where status = 'scheduled'`
    expect(await fireDueSchedules(ws.deps, new Date(Date.now() + 2 * 3_700_000))).toBe(1)
    expect((await runsOf(api, id)).map((run) => run.status)).toEqual(['scheduled', 'failed'])
  })
})

import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createAutomation, DAILY, runsOf, startNode, startRun, succeededOutcome } from '../automation.factory.ts'
import { failAbandonedRuns } from './abandoned-runs.ts'
import { finishRun } from './claims.ts'
import type { Execute } from './dispatch.ts'
import { claimRun } from './queries.ts'
import { fireDueSchedules } from './ticks.ts'

/** Every test has its own database: a node works for all projects of one. */
async function setUp(triggers: unknown[] = []) {
  const ws = await openWorkspace()
  onTestFinished(ws.close)
  const project = await ws.project()
  const { api } = project.admin
  const automation = await createAutomation(api, { triggers })
  const nodes = (options: Parameters<typeof startNode>[1], howMany = 1) =>
    Array.from({ length: howMany }, () => {
      const node = startNode(ws, options)
      onTestFinished(() => node.stop(100))
      return node
    })
  return { ws, project, api, automation, id: automation.id, path: `/automations/${automation.id}`, nodes }
}

const later = (time: string, ms: number) => new Date(Date.parse(time) + ms)
const statusesOf = async (api: Parameters<typeof runsOf>[0], id: string) =>
  (await runsOf(api, id)).map((run) => run.status)

/** A run that goes on until it is told to stop, and remembers that it was. */
function endless() {
  const begun: string[] = []
  const stopped: unknown[] = []
  const execute: Execute = (_deps, { run }, signal) => {
    begun.push(run.id)
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        stopped.push(signal.reason)
        resolve(succeededOutcome({ status: 'cancelled', error: null }))
      })
    })
  }
  return { begun, stopped, execute }
}

describe('a tick', () => {
  it('is fired once, however many nodes look', async () => {
    const { ws, api, automation, id } = await setUp([DAILY])
    const due = automation.triggers[0].next_fire_at
    const fired = await Promise.all(
      Array.from({ length: 12 }, (_, index) => fireDueSchedules(ws.deps, later(due, index))),
    )
    expect(fired.reduce((sum, one) => sum + one)).toBe(1)
    const [run, ...others] = await runsOf(api, id)
    expect(others).toEqual([])
    expect(run).toMatchObject({ trigger_type: 'schedule', scheduled_for: due, trigger_id: automation.triggers[0].id })
    const { data } = (await api.get(`/automations/${id}`)).body
    expect(data.triggers[0].next_fire_at).toBe(later(due, 86_400_000).toISOString())
  })

  it('is fired once by nodes that run side by side, and so is the next', async () => {
    const { api, automation, id, nodes } = await setUp([DAILY])
    let now = new Date()
    const both = nodes({ clock: async () => now }, 3)
    const passTo = async (time: Date, runs: number) => {
      now = time
      for (const node of both) node.wake()
      await eventually(async () => (await statusesOf(api, id)).filter((one) => one === 'succeeded').length === runs)
    }
    const due = automation.triggers[0].next_fire_at
    await passTo(later(due, 0), 1)
    await passTo(later(due, 86_400_000), 2)
    expect(await runsOf(api, id)).toHaveLength(2)
  })

  it('that was missed is fired once on return, never a burst', async () => {
    const { ws, api, automation, id } = await setUp([{ trigger_type: 'schedule', config: { preset: 'hourly' } }])
    const due = automation.triggers[0].next_fire_at
    const back = later(due, 10 * 86_400_000 + 1_234)
    expect(await fireDueSchedules(ws.deps, back)).toBe(1)
    expect(await fireDueSchedules(ws.deps, back)).toBe(0)
    expect(await runsOf(api, id)).toHaveLength(1)
    const { data } = (await api.get(`/automations/${id}`)).body
    expect(data.triggers[0].next_fire_at).toBe(later(due, 10 * 86_400_000 + 3_600_000).toISOString())
  })

  it('is skipped while another run of the automation waits or goes on', async () => {
    const { ws, api, automation, id } = await setUp([DAILY, { trigger_type: 'schedule', config: { preset: 'hourly' } }])
    const due = automation.triggers[0].next_fire_at
    expect(await fireDueSchedules(ws.deps, later(due, 1))).toBe(2)
    expect(await fireDueSchedules(ws.deps, later(due, 86_400_001))).toBe(2)
    expect(await runsOf(api, id)).toHaveLength(1)
  })

  it('does not come before its time, nor while the automation is off', async () => {
    const { ws, api, automation, id, path } = await setUp([DAILY])
    const due = automation.triggers[0].next_fire_at
    expect(await fireDueSchedules(ws.deps, later(due, -1))).toBe(0)
    await api.patch(path, { enabled: false })
    expect(await fireDueSchedules(ws.deps, later(due, 1))).toBe(0)
    expect(await runsOf(api, id)).toEqual([])
  })

  it('is fired for many triggers of many projects at once', async () => {
    const { ws, api, automation } = await setUp([DAILY])
    const other = await ws.project()
    for (let index = 0; index < 3; index++) {
      await createAutomation(api, { triggers: Array(25).fill(DAILY), concurrency: 'queue' })
      await createAutomation(other.admin.api, { triggers: Array(25).fill(DAILY), concurrency: 'queue' })
    }
    const now = later(automation.triggers[0].next_fire_at, 86_400_000)
    const fired = await Promise.all(Array.from({ length: 4 }, () => fireDueSchedules(ws.deps, now)))
    const left = await fireDueSchedules(ws.deps, now)
    expect(fired.reduce((sum, one) => sum + one) + left).toBe(151)
    const [counted] =
      await ws.sql`select count(*)::int as runs, count(distinct trigger_id)::int as triggers from automation_runs`
    expect(counted).toEqual({ runs: 151, triggers: 151 })
  })

  it('in a zone that is no longer known is the last of its schedule, and others go on', async () => {
    const { ws, api, automation, id, path } = await setUp([DAILY])
    const other = await createAutomation(api, { triggers: [DAILY] })
    await ws.sql`update automation_triggers set timezone = 'Mars/Olympus' where automation_id = ${id}`
    const logged: object[] = []
    const log = { ...console, error: (what: object) => void logged.push(what) }
    const due = automation.triggers[0].next_fire_at
    expect(await fireDueSchedules({ ...ws.deps, log }, later(due, 0))).toBe(2)
    expect(logged).toEqual([expect.objectContaining({ automation_id: id, timezone: 'Mars/Olympus' })])
    const nextOf = async (which: string) => (await api.get(`/automations/${which}`)).body.data.triggers[0].next_fire_at
    expect(await nextOf(id)).toBeNull()
    expect(await nextOf(other.id)).toBe(later(due, 86_400_000).toISOString())
    for (const change of [{ name: 'Renamed' }, { enabled: false }, { enabled: true }])
      expect((await api.patch(path, change)).status).toBe(200)
  })

  it('is not lost when the automation is changed at the same moment', async () => {
    const { ws, api, automation, id, path } = await setUp([DAILY])
    const due = automation.triggers[0].next_fire_at
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, index) => api.patch(path, { name: `n${index}` })),
      ...Array.from({ length: 10 }, () => fireDueSchedules(ws.deps, later(due, 0))),
    ])
    expect(answers.slice(0, 10).map((answer) => (answer as { status: number }).status)).toEqual(Array(10).fill(200))
    await fireDueSchedules(ws.deps, later(due, 0))
    expect(await runsOf(api, id)).toHaveLength(1)
  })
})

describe('a run', () => {
  it('is taken by one of several nodes as soon as it is there', async () => {
    const { api, id, nodes } = await setUp()
    const begun: string[] = []
    const execute: Execute = async (_deps, { run }) => {
      begun.push(run.id)
      return succeededOutcome()
    }
    nodes({ idleMs: 60_000, execute }, 3)
    const runs = await Promise.all(Array.from({ length: 6 }, () => startRun(api, id)))
    await eventually(async () => (await statusesOf(api, id)).every((status) => status === 'succeeded'))
    expect([...begun].sort()).toEqual(runs.map((run) => run.id).sort())
  })

  it('waits for the one before it of the same automation, not for others', async () => {
    const { api, id, nodes } = await setUp()
    const other = await createAutomation(api)
    let most = 0
    const going = new Map<string, number>()
    const release: (() => void)[] = []
    nodes(
      {
        execute: async (_deps, { run }) => {
          const now = (going.get(run.automationId) ?? 0) + 1
          going.set(run.automationId, now)
          most = Math.max(most, now)
          await new Promise<void>((resolve) => release.push(resolve))
          going.set(run.automationId, now - 1)
          return succeededOutcome()
        },
      },
      2,
    )
    const first = await startRun(api, id)
    for (let index = 0; index < 3; index++) await startRun(api, id)
    await startRun(api, other.id)
    await eventually(() => going.get(id) === 1 && going.get(other.id) === 1)
    expect((await runsOf(api, id)).find((run) => run.status === 'running')?.id).toBe(first.id)
    await eventually(async () => {
      for (const next of release.splice(0)) next()
      return (await statusesOf(api, id)).every((status) => status === 'succeeded')
    })
    expect(most).toBe(1)
  })

  it('stores how it came out: times, model, tokens, changes, conversation', async () => {
    const { api, id, nodes } = await setUp()
    const changes = [{ action: 'created', resourceType: 'work_order', resourceId: id, title: 'T' }]
    const conversationId = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
    nodes({
      execute: async () => succeededOutcome({ model: 'm', inputTokens: 12, outputTokens: 3, changes, conversationId }),
    })
    await startRun(api, id)
    await eventually(async () => (await statusesOf(api, id))[0] === 'succeeded')
    const [run] = await runsOf(api, id)
    expect(run).toMatchObject({
      model: 'm',
      input_tokens: 12,
      output_tokens: 3,
      conversation_id: conversationId,
      changes: [{ action: 'created', resource_type: 'work_order', resource_id: id, title: 'T' }],
      error: null,
    })
    expect(run!.started_at >= run!.created_at && run!.completed_at >= run!.started_at).toBe(true)
  })

  it('that breaks is failed with the reason', async () => {
    const { api, id, nodes } = await setUp()
    nodes({ execute: () => Promise.reject(new Error('out of paper')) })
    await startRun(api, id)
    const run = await eventually(async () => (await runsOf(api, id)).find((one) => one.status === 'failed'))
    expect(run.error).toContain('out of paper')
  })

  it('finishes when its automation is switched off, and no tick starts another', async () => {
    const { ws, api, id, path, automation, nodes } = await setUp([DAILY])
    let finish: () => void = () => undefined
    nodes({ execute: () => new Promise((resolve) => (finish = () => resolve(succeededOutcome()))) })
    await startRun(api, id)
    await eventually(async () => (await statusesOf(api, id))[0] === 'running')
    await api.patch(path, { enabled: false })
    expect(await fireDueSchedules(ws.deps, later(automation.triggers[0].next_fire_at, 1))).toBe(0)
    finish()
    await eventually(async () => (await statusesOf(api, id))[0] === 'succeeded')
  })
})

describe('cancelling', () => {
  it('stops a run on whichever node it goes on', async () => {
    const { api, id, path, nodes } = await setUp()
    const { begun, stopped, execute } = endless()
    nodes({ execute, idleMs: 60_000 }, 2)
    const run = await startRun(api, id)
    await eventually(() => begun.length === 1)
    const { status, body } = await api.post(`${path}/runs/${run.id}/cancel`)
    expect([status, body.data.cancel_requested]).toEqual([200, true])
    await eventually(async () => (await statusesOf(api, id))[0] === 'cancelled')
    expect(stopped).toEqual(['cancelled'])
  })

  it('works without the message, when the lease is renewed', async () => {
    const { ws, api, id, nodes } = await setUp()
    const { begun, execute } = endless()
    nodes({ execute, leaseMs: 150 })
    const run = await startRun(api, id)
    await eventually(() => begun.length === 1)
    await ws.sql`update automation_runs set cancel_requested_at = now() where id = ${run.id}`
    await eventually(async () => (await statusesOf(api, id))[0] === 'cancelled')
  })
})

describe('a node that dies', () => {
  const claim = async (ws: Workspace) => (await claimRun(ws.sql, '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81', 30_000))!
  const expire = (ws: Workspace) =>
    ws.sql`update automation_runs set leased_until = now() - interval '1 second' where status = 'running'`

  it('leaves a run that another node ends with the reason, and with a conversation', async () => {
    const { ws, api, id, nodes } = await setUp()
    await startRun(api, id)
    await claim(ws)
    nodes({ idleMs: 50 })
    expect(await statusesOf(api, id)).toEqual(['running'])
    await expire(ws)
    const failed = await eventually(async () => (await runsOf(api, id)).find((one) => one.status === 'failed'))
    expect(failed.error).toContain('stopped answering')
    expect(failed.completed_at).not.toBeNull()
    const { data } = (await api.get(`/agent_conversations/${failed.conversation_id}`)).body
    expect(data.automation).toMatchObject({ run_id: failed.id, run_status: 'failed' })
    expect(data.content.at(-1).text).toContain('stopped answering')
  })

  it('leaves runs that wait to the others', async () => {
    const { ws, api, id, nodes } = await setUp()
    for (let index = 0; index < 3; index++) await startRun(api, id)
    await claim(ws)
    await expire(ws)
    nodes({})
    await eventually(async () => (await statusesOf(api, id)).join() === 'succeeded,succeeded,failed')
  })

  it('is ended once, also when all others notice at the same time', async () => {
    const { ws, api, id } = await setUp()
    const run = await startRun(api, id)
    await claim(ws)
    await expire(ws)
    await Promise.all(Array.from({ length: 5 }, () => failAbandonedRuns(ws.deps)))
    const events = await ws.sql`select 1 from events where subject_id = ${run.id} and kind = 'automation_run.completed'`
    expect(events).toHaveLength(1)
  })

  it('and only seemed dead cannot overwrite the end it was given', async () => {
    const { ws, api, id } = await setUp()
    await startRun(api, id)
    const claimed = await claim(ws)
    await expire(ws)
    await failAbandonedRuns(ws.deps)
    await finishRun(ws.deps, '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81', claimed, succeededOutcome())
    expect(await statusesOf(api, id)).toEqual(['failed'])
  })

  it('while a run was to be cancelled leaves it cancelled', async () => {
    const { ws, api, id, path } = await setUp()
    const run = await startRun(api, id)
    await claim(ws)
    await api.post(`${path}/runs/${run.id}/cancel`)
    await expire(ws)
    await failAbandonedRuns(ws.deps)
    expect(await statusesOf(api, id)).toEqual(['cancelled'])
  })

  it('by losing the database stops what it no longer owns', async () => {
    const { ws, api, id, nodes } = await setUp()
    const { begun, stopped, execute } = endless()
    nodes({ execute, leaseMs: 150 })
    const run = await startRun(api, id)
    await eventually(() => begun.length === 1)
    await ws.sql`update automation_runs set status = 'failed', completed_at = now() where id = ${run.id}`
    await eventually(() => stopped[0] === 'lost')
    expect(await statusesOf(api, id)).toEqual(['failed'])
  })
})

describe('stopping a node', () => {
  it('lets what can finish do so', async () => {
    const { api, id, nodes } = await setUp()
    let finish: () => void = () => undefined
    const [node] = nodes({ execute: () => new Promise((resolve) => (finish = () => resolve(succeededOutcome()))) })
    await startRun(api, id)
    await eventually(async () => (await statusesOf(api, id))[0] === 'running')
    const stopped = node!.stop(10_000)
    finish()
    await stopped
    expect(await statusesOf(api, id)).toEqual(['succeeded'])
  })

  it('ends the rest with the reason, and leaves what waits', async () => {
    const { api, id, nodes } = await setUp()
    const { begun, execute } = endless()
    const [node] = nodes({ execute })
    await startRun(api, id)
    await startRun(api, id)
    await eventually(() => begun.length === 1)
    await node!.stop(0)
    const [waiting, ended] = await runsOf(api, id)
    expect([waiting!.status, ended!.status]).toEqual(['scheduled', 'failed'])
    expect(ended!.error).toContain('The server was stopped')
  })
})

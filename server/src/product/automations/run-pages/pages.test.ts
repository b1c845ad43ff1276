import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import { eventsOf, json, type Person, signedIn } from '../../conversations/person.factory.ts'
import { type ScriptedModel, scriptedModel } from '../../conversations/scripted-model.factory.ts'
import { settingsWith } from '../../conversations/turns/agent.factory.ts'
import { addMember, loadProject, operatorCtx } from '../../projects/index.ts'
import { startNode } from '../automation.factory.ts'
import { executeRun } from '../dispatcher/execute.ts'

const BODY = { name: 'Drift watch', user_prompt: 'Compare.', triggers: [], tool_kit: { permission_overrides: [] } }
const call = (name: string, input: object) => ({ name, input })

async function setUp(...replies: Parameters<ScriptedModel['script']>) {
  const model = await scriptedModel()
  model.script(...replies)
  const ws = await openWorkspace({ settings: settingsWith({ model: model.settings() }) })
  onTestFinished(ws.close)
  const person = await signedIn(ws, model)
  const node = startNode(ws, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) })
  onTestFinished(() => node.stop(0))
  const get = async (path: string, who: Person = person) =>
    json(who.call('GET', path, undefined, { 'x-project-id': person.projectId }))
  const post = (path: string, body: object = {}, who: Person = person) =>
    who.call('POST', path, body, { 'x-project-id': person.projectId })
  const make = async (values: object = {}) => (await json(post('/automations', { ...BODY, ...values }))).data
  const pageOf = async (id: string, who?: Person) => (await get(`/automation_runs/${id}`, who)).data
  const run = async (automationId: string, body: object = {}) => {
    const { data } = await json(post(`/automations/${automationId}/runs`, body))
    return eventually(async () => {
      const page = await pageOf(data.id)
      return page.completed_at !== null && page
    })
  }
  const join = async (role: 'viewer' | 'editor' | 'admin') => {
    const other = await signedIn(ws)
    const ctx = operatorCtx({ ...ws.deps, db: ws.sql }, await loadProject(ws.sql, person.projectId))
    await addMember(ctx, other.userId, role)
    return other
  }
  const makeWorkOrder = async (title: string) => {
    const operations = [{ operation_id: 'a', operation_type: 'CreateWorkOrder', patch: { title, status: 'ready' } }]
    const made = await json(post('/work_orders/batch_create', { request_id: `make ${title}`, operations }))
    return made.results.a.work_order_id as string
  }
  return { ws, person, get, post, make, pageOf, run, join, makeWorkOrder }
}

describe('an automation that is off', () => {
  it('has dry runs and no others, so that people try it before they switch it on', async () => {
    const { post, make, run, get } = await setUp(
      { calls: [call('create_work_order', { title: 'Round' })] },
      { text: 'One.' },
    )
    const automation = await make({ enabled: false })
    expect(automation.enabled).toBe(false)
    const refused = await post(`/automations/${automation.id}/runs`)
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'automation_disabled'])
    const page = await run(automation.id, { dry_run: true })
    expect(page).toMatchObject({ status: 'succeeded', dry_run: true, changes: [], text: 'One.' })
    const { items } = await get('/automations/rows')
    const row = items.find((one: { id: string }) => one.id === automation.id)
    expect(row).toMatchObject({
      enabled: false,
      waiting: [{ run_id: page.id, count: 1 }],
      last_run: { id: page.id, status: 'succeeded', change_count: 0 },
      days: [{ succeeded: 1, failed: 0 }],
      month: { tokens: 240 },
      may: { edit: true, switch_off: true, review: true },
    })
  })
})

describe('the page of a run', () => {
  it('says which proposals somebody has changed since, and accepting all leaves those out', async () => {
    const ids: string[] = []
    const updates = () => ({
      calls: [
        call('create_work_order', { title: 'New' }),
        call('update_work_order', { work_order_id: ids[0], values: { status: 'completed' } }),
        call('update_work_order', { work_order_id: ids[1], values: { status: 'completed' } }),
      ],
    })
    const { ws, person, make, run, pageOf, get, post, makeWorkOrder } = await setUp(updates, { text: 'Three.' })
    ids.push(await makeWorkOrder('Stale'), await makeWorkOrder('Fresh'))
    const automation = await make({ approval: 'required' })
    const before = await run(automation.id)
    expect(before.writes.map((one: { changed_since: unknown }) => one.changed_since)).toEqual([null, null, null])
    const block = {
      operation_id: 'a',
      operation_type: 'UpdateStatus',
      target: { work_order_id: ids[0] },
      patch: { status: 'blocked' },
    }
    await post('/work_orders/batch_update', { request_id: 'block', operations: [block] })
    const { writes } = await pageOf(before.id)
    expect(writes[1]).toMatchObject({ title: 'Stale', changed_since: { now: { status: 'blocked' }, by: 'Talker' } })
    const { data } = await json(post(`/automation_runs/${before.id}/decisions`, { decision: 'accept' }))
    expect(data).toMatchObject({ decided: 2, left_out: [{ write_id: writes[1].id }] })
    const after = await pageOf(before.id)
    expect(after.writes.map((one: { status: string }) => one.status)).toEqual(['accepted', 'proposed', 'accepted'])
    const { items } = await get('/automations/rows')
    // The list says what the run changed, also what a person accepted later.
    expect(items.find((row: { id: string }) => row.id === automation.id).last_run.change_count).toBe(2)
    expect(after.writes[0]).toMatchObject({ title: 'New', decider: { id: person.userId, name: 'Talker' } })
    const one = `/automations/${automation.id}/runs/${before.id}/writes/${writes[2].id}/undo`
    expect((await json(post(one))).data.undone).toHaveLength(1)
    const undone = await pageOf(before.id)
    expect(undone.writes.map((one: { status: string }) => one.status)).toEqual(['accepted', 'proposed', 'undone'])
    const reviewed =
      await ws.sql`select 1 from events where subject_id = ${before.id} and kind = 'automation_run.reviewed'`
    expect(reviewed).toHaveLength(2)
  })

  it('shows every member what was called, lets only those who look after it decide, and is a 404 elsewhere', async () => {
    const { make, run, get, post, join, ws } = await setUp(
      { calls: [call('list_work_orders', {})] },
      { text: 'All is well.' },
    )
    const automation = await make()
    const page = await run(automation.id)
    const editor = await join('editor')
    const { items, is_whole } = await get(`/automation_runs/${page.id}/activity`, editor)
    expect(items.map((one: { kind: string; tool: string | null }) => [one.kind, one.tool])).toEqual([
      ['user', null],
      ['tool_call', 'list_work_orders'],
      ['tool_result', 'list_work_orders'],
      ['assistant', null],
    ])
    expect(is_whole).toBe(true)
    const rest = await get(`/automation_runs/${page.id}/activity?after=${items[2].number}`, editor)
    expect(rest.items.map((one: { text: string }) => one.text)).toEqual(['All is well.'])
    expect((await get(`/automation_runs/${page.id}`, editor)).data.may).toEqual({
      edit: false,
      switch_off: false,
      review: false,
    })
    const refused = await post(`/automation_runs/${page.id}/decisions`, { decision: 'accept' }, editor)
    expect(refused.status).toBe(403)
    const stranger = await signedIn(ws)
    expect((await stranger.call('GET', `/automation_runs/${page.id}`)).status).toBe(404)
    const elsewhere = await stranger.call('POST', `/automation_runs/${page.id}/decisions`, { decision: 'accept' })
    expect(elsewhere.status).toBe(404)
  })
})

describe('the list of runs', () => {
  it('has those of all automations, by status, automation, cost and whether they changed something, in pages', async () => {
    const { make, run, get } = await setUp(
      { calls: [call('create_work_order', { title: 'Round' })] },
      { text: 'Done.' },
      { text: 'Nothing.' },
      { status: 400 },
    )
    const [one, two] = [await make(), await make({ name: 'Other' })]
    const runs = [await run(one.id), await run(one.id), await run(two.id)].map(({ id }) => id)
    const found = async (query: string) => {
      const { items } = await get(`/automation_runs${query}`)
      return items.map(({ id }: { id: string }) => runs.indexOf(id))
    }
    expect(await found('')).toEqual([2, 1, 0])
    expect(await found('?status=failed,cancelled')).toEqual([2])
    expect(await found(`?automation_id=${one.id}`)).toEqual([1, 0])
    expect(await found('?changed=true')).toEqual([0])
    expect(await found('?changed=false')).toEqual([2, 1])
    expect(await found('?waiting=true')).toEqual([])
    expect(await found('?min_cost=0.01')).toEqual([])
    const first = await get('/automation_runs?limit=2')
    expect([first.total, first.items[0].automation_name]).toEqual([3, 'Other'])
    expect(await found(`?limit=2&before=${first.next_before}`)).toEqual([0])
  })
})

describe('the preview of a schedule', () => {
  it('has the next five times in the zone, and names the field that is wrong', async () => {
    const { get } = await setUp({ text: '' })
    const { data } = await get('/automations/schedule?cron_expression=30%207%20*%20*%201-5&timezone=Europe/Berlin')
    const times = data.fires.map((at: string) =>
      new Date(at).toLocaleTimeString('en', {
        timeZone: 'Europe/Berlin',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }),
    )
    expect(times).toEqual(Array.from({ length: 5 }, () => '07:30'))
    expect(new Set(data.fires).size).toBe(5)
    const wrong = await get('/automations/schedule?cron_expression=0%2025%20*%20*%20*&timezone=Mars')
    expect(wrong.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/timezone', '/cron_expression'])
  })
})

describe('the stream of a run', () => {
  it('brings any member what it calls when that is stored, its words as they are said, and its end', async () => {
    let finish = () => undefined as unknown
    const held = new Promise<void>((resolve) => {
      finish = () => resolve()
    })
    const { ws, person, post, make, join } = await setUp({ calls: [call('list_work_orders', {})] }, async () => {
      await held
      return { text: 'Nothing is left to do.' }
    })
    const automation = await make()
    const viewer = await join('viewer')
    const { data } = await json(post(`/automations/${automation.id}/runs`))
    const follow = (who: Person) =>
      eventsOf(who.call('GET', `/automation_runs/${data.id}/stream`, undefined, { 'x-project-id': person.projectId }))
    const both = Promise.all([follow(person), follow(viewer)])
    finish()
    for (const events of await both) {
      const kinds = events.filter(({ event }) => event === 'message').map(({ data }) => data.kind)
      expect(kinds).toEqual(['user', 'tool_call', 'tool_result', 'assistant'])
      expect(events.at(-1)).toEqual({ event: 'end', data: { status: 'succeeded' } })
    }
    const again = await eventsOf(
      viewer.call('GET', `/automation_runs/${data.id}/stream?after=3`, undefined, { 'x-project-id': person.projectId }),
    )
    expect(again.map(({ event }) => event)).toEqual(['status', 'message', 'end'])
    const stranger = await signedIn(ws)
    expect((await stranger.call('GET', `/automation_runs/${data.id}/stream`)).status).toBe(404)
  })
})

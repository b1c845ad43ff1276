import { describe, expect, it, onTestFinished } from 'vitest'
import { openWorkspace } from '../../../../test/harness.ts'
import { deliverEvent } from '../../../kernel/events.ts'
import type { ModelSettings } from '../../../kernel/model/settings.ts'
import { DEFAULT_SETTINGS } from '../../../kernel/settings.ts'
import { scriptedModel } from '../../conversations/scripted-model.factory.ts'
import { feedbackProject, submitItem } from '../../feedback/feedback.factory.ts'
import type { triageItem } from '../../feedback/index.ts'
import { builtInOf, createAutomation, runsOf } from '../automation.factory.ts'
import { finishRun } from '../dispatcher/claims.ts'
import { executeRun } from '../dispatcher/execute.ts'
import { claimRun } from '../dispatcher/queries.ts'

const NODE = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'

/** Feedback triage is on and no node takes its runs: the test does. */
async function setUp(model?: ModelSettings) {
  const ws = await openWorkspace(model ? { settings: { ...DEFAULT_SETTINGS, model } } : {})
  onTestFinished(ws.close)
  const { project, api, reporter } = await feedbackProject(ws)
  const { id } = await builtInOf(api)
  await api.patch(`/automations/${id}`, { enabled: true })
  const deliver = async (itemId: string) => {
    const [event] = await ws.sql`select id from events where project_id = ${project.id} and subject_id = ${itemId}
      and kind = 'feedback_item.submitted'`
    await deliverEvent({ projectId: project.id, id: event!.id }, ws.deps)
  }
  const submit = async (howMany: number): Promise<string[]> => {
    const ids: string[] = []
    for (let n = 0; n < howMany; n++) {
      ids.push((await submitItem(api, reporter, `Report ${n}`)).id)
      await deliver(ids.at(-1)!)
    }
    return ids
  }
  const sorted: string[] = []
  const sortItem: typeof triageItem = async (_deps, { itemId }) => {
    sorted.push(itemId)
    return { reason: `Sorted ${itemId}.`, changes: [] }
  }
  /** Runs what waits, one after the other. */
  const runAll = async (sort = sortItem) => {
    for (let run = await claimRun(ws.sql, NODE, 60_000); run; run = await claimRun(ws.sql, NODE, 60_000))
      await finishRun(ws.deps, NODE, run, await executeRun(ws.deps, run, new AbortController().signal, sort))
  }
  return { ws, api, id, submit, deliver, sorted, runAll, runs: () => runsOf(api, id) }
}

describe('feedback that arrives while a run is waiting', () => {
  it('becomes part of it: one run sorts every item and says why for each', async () => {
    const { api, submit, sorted, runAll, runs } = await setUp()
    const items = await submit(4)
    expect(await runs()).toHaveLength(1)
    await runAll()
    expect(sorted).toEqual(items)
    const [run] = await runs()
    expect(run).toMatchObject({ status: 'succeeded', subject: { resourceId: items[0] } })
    const { data } = (await api.get(`/agent_conversations/${run!.conversation_id}`)).body
    expect(data.content.at(-1).text).toBe(items.map((one) => `Sorted ${one}.`).join('\n'))
  })

  it('starts further runs when there is much of it, and none is left out', async () => {
    const { submit, sorted, runAll, runs } = await setUp()
    const items = await submit(23)
    expect(await runs()).toHaveLength(3)
    await runAll()
    expect([...sorted].sort()).toEqual([...items].sort())
  })

  it('is skipped while another run goes on, where the automation says so', async () => {
    const { ws, api, id, submit } = await setUp()
    await api.patch(`/automations/${id}`, { enabled: false })
    const triggers = [{ trigger_type: 'feedback_submitted' }]
    const made = await createAutomation(api, { concurrency: 'skip', triggers })
    await submit(1)
    expect(await claimRun(ws.sql, NODE, 60_000)).toBeDefined()
    await submit(1)
    expect(await runsOf(api, made.id)).toHaveLength(1)
  })

  it('needs a run of its own once the one before has begun', async () => {
    const { ws, submit, runs } = await setUp()
    await submit(1)
    await claimRun(ws.sql, NODE, 60_000)
    await submit(1)
    expect((await runs()).map((run) => run.status)).toEqual(['scheduled', 'running'])
  })

  it('is sorted once, also when its event is delivered again, before or after', async () => {
    const { submit, deliver, sorted, runAll, runs } = await setUp()
    const items = await submit(3)
    for (const item of items) await deliver(item)
    await runAll()
    for (const item of items) await deliver(item)
    await runAll()
    expect(sorted).toEqual(items)
    expect(await runs()).toHaveLength(1)
  })

  it('is sorted though another item of the run cannot be, and all of them again by a retry', async () => {
    const { api, id, submit, sorted, runAll, runs } = await setUp()
    const items = await submit(3)
    await runAll(async (_deps, { itemId }) => {
      if (itemId === items[0]) throw new Error('no words left')
      return { reason: `Sorted ${itemId}.`, changes: [] }
    })
    const [failed] = await runs()
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('no words left\nSorted') })
    expect((await api.post(`/automations/${id}/runs/${failed!.id}/retry`)).status).toBe(201)
    await runAll()
    expect(sorted).toEqual(items)
  })

  it('is told to the model, which is asked once about all of it', async () => {
    const model = await scriptedModel()
    model.script({ text: 'Done.' })
    const { submit, runAll, runs } = await setUp(model.settings())
    const items = await submit(3)
    await runAll()
    expect((await runs()).map((run) => run.status)).toEqual(['succeeded'])
    const told = JSON.stringify(model.asked[0]!.messages)
    for (const item of items) expect(told).toContain(item)
    expect(model.asked).toHaveLength(1)
  })
})

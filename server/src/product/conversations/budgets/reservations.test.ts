import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { type Reply, scriptedModel } from '../scripted-model.factory.ts'
import { runFor } from '../turns/agent.factory.ts'
import { NO_LIMITS } from './budget.ts'
import { setLimits, WHOLE_PROJECT } from './budget-queries.ts'
import { readUsage } from './usage-queries.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

/** Less than an answer reserves. */
const ANSWER_TOKENS = 9_000

async function setUp(tokensPerDay: number) {
  const project = await ws.project()
  await setLimits(ws.sql, project.id, WHOLE_PROJECT, { ...NO_LIMITS, tokensPerDay })
  const model = await scriptedModel()
  const run = () => runFor(ws, project, project.admin, { model: model.settings() })
  const used = async () => (await readUsage(ws.sql, project.id, null)).day.tokens
  const held = async () => (await ws.sql`select 1 from model_reservations where project_id = ${project.id}`).length
  const hold = (expires: string) => ws.sql`
    insert into model_reservations (project_id, id, automation_id, tokens, cost, expires_at)
    values (${project.id}, ${uuidv7()}, ${WHOLE_PROJECT}, ${tokensPerDay}, 0, now() + ${expires}::interval)`
  return { model, run, used, held, hold }
}

describe('a budget', () => {
  test('is exceeded by one answer at most, however many agents and subagents work at once', async () => {
    const limit = 5 * ANSWER_TOKENS
    const { model, run, used, held } = await setUp(limit)
    let page = 0
    model.script(({ tools }): Reply => {
      const mayDelegate = tools?.some((one) => one.function.name === 'delegate') && page++ < 20
      const call = mayDelegate
        ? { name: 'delegate', input: { title: 'Part', task: 'Look around.' } }
        : { name: 'list_work_orders', input: { page: ++page } }
      return { calls: [call], tokens: ANSWER_TOKENS }
    })
    const outcomes = await Promise.all(Array.from({ length: 20 }, run))
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['failed']))
    expect(outcomes[0]!.error).toContain('The budget of the project is used up')
    expect(await used()).toBeGreaterThan(0)
    expect(await used()).toBeLessThanOrEqual(limit + ANSWER_TOKENS)
    expect(await held()).toBe(0)
  })

  test('that other answers hold refuses for now, so the run may be retried', async () => {
    const { model, run, hold } = await setUp(1_000)
    model.script({ text: 'Done.' })
    await hold('1 minute')
    expect(await run()).toMatchObject({
      status: 'failed',
      isTransient: true,
      error: expect.stringContaining('0 of 1,000 tokens were used today, and agents that are at work hold the rest'),
    })
    expect(model.asked).toHaveLength(0)
  })

  test('is free again when what a stopped server held has expired', async () => {
    const { model, run, hold, held } = await setUp(1_000)
    model.script({ text: 'Done.' })
    await hold('-1 second')
    expect((await run()).status).toBe('succeeded')
    expect(await held()).toBe(0)
  })

  test('keeps nothing of an answer that fails', async () => {
    const { model, run, held, used } = await setUp(1_000)
    model.script({ status: 401 })
    expect((await run()).status).toBe('failed')
    expect([await held(), await used()]).toEqual([0, 0])
  })
})

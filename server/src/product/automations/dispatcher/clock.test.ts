import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import { createAutomation, runsOf, startNode } from '../automation.factory.ts'

const HOURLY = { trigger_type: 'schedule', config: { preset: 'hourly' } }
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

afterEach(() => {
  vi.useRealTimers()
})

/** From here on this process believes that it is another day; the database does not. */
const shiftClock = (ms: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
}

async function setUp() {
  const ws = await openWorkspace()
  onTestFinished(ws.close)
  const { admin } = await ws.project()
  const nextOf = async (id: string) =>
    Date.parse((await admin.api.get(`/automations/${id}`)).body.data.triggers[0].next_fire_at)
  return { ws, api: admin.api, nextOf }
}

describe('a node whose clock is wrong', () => {
  it.each([3 * DAY_MS, -3 * DAY_MS])(
    'by %i ms fires a schedule when it is due, and moves it to the next hour',
    async (ms) => {
      const { ws, api, nextOf } = await setUp()
      const realNow = Date.now()
      const [due, later] = [
        await createAutomation(api, { triggers: [HOURLY] }),
        await createAutomation(api, { triggers: [HOURLY] }),
      ]
      await ws.sql`update automation_triggers set next_fire_at = now() - interval '1 second' where automation_id = ${due.id}`
      shiftClock(ms)
      const node = startNode(ws)
      onTestFinished(() => node.stop(100))
      await eventually(async () => (await runsOf(api, due.id)).length === 1)
      expect(await nextOf(due.id)).toBeGreaterThan(realNow)
      expect(await nextOf(due.id)).toBeLessThanOrEqual(realNow + HOUR_MS + 60_000)
      expect(await runsOf(api, later.id)).toEqual([])
    },
  )

  it('gives a new schedule its next time by the clock that all nodes share', async () => {
    const { api, nextOf } = await setUp()
    const realNow = Date.now()
    shiftClock(3 * DAY_MS)
    const { id } = await createAutomation(api, { triggers: [HOURLY] })
    expect(await nextOf(id)).toBeLessThanOrEqual(realNow + HOUR_MS + 60_000)
    await api.patch(`/automations/${id}`, { enabled: false })
    await api.patch(`/automations/${id}`, { enabled: true })
    expect(await nextOf(id)).toBeLessThanOrEqual(realNow + HOUR_MS + 60_000)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createWorkOrder, createWorkOrders } from '../work-order.factory.ts'
import { returnExpiredClaim } from './claims.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp(values: Record<string, unknown> = { status: 'ready' }) {
  const project = await ws.project()
  const { api } = project.admin
  const { id, number } = await createWorkOrder(api, values)
  const path = `/work_orders/${id}/claim`
  const status = async () => (await api.get(`/work_orders/${id}`)).body.data.status as string
  /** As if the lease had ended a minute ago. */
  const expire = () => ws.sql`update work_order_claims set expires_at = now() - interval '1 minute'
    where project_id = ${project.id} and work_order_id = ${id}`
  return { project, api, id, number, path, status, expire }
}

const claimNext = (api: Client, body: Record<string, unknown> = {}) => api.post('/work_orders/claim_next', body)

describe('claiming a work order', () => {
  it('starts it and says until when', async () => {
    const { api, id, path } = await setUp()
    const { status, body } = await api.post(path, { holder: 'agent-7', lease_seconds: 60 })
    expect(status).toBe(200)
    expect(body.data.claim).toMatchObject({ work_order_id: id, fencing_token: 1, holder: 'agent-7' })
    const { claimed_at, expires_at } = body.data.claim
    expect(Date.parse(expires_at) - Date.parse(claimed_at)).toBe(60_000)
    expect(body.data.work_order).toMatchObject({ id, status: 'in_progress' })
    expect((await api.get(path)).body.data).toEqual(body.data.claim)
  })

  it('is refused while somebody has it, who is named', async () => {
    const { api, path } = await setUp()
    await api.post(path, { holder: 'first' })
    const { status, body } = await api.post(path, { holder: 'second' })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'already_claimed', claim: { holder: 'first' } })
  })

  it('lets exactly one of many win', async () => {
    const { api, path } = await setUp()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => api.post(path, { holder: `agent-${at}` })))
    expect(answers.map((one) => one.status).sort()).toEqual([200, ...Array(19).fill(409)])
  })

  it('is refused when the work is completed, for viewers, and for other projects', async () => {
    const { project, api, path } = await setUp({ status: 'completed' })
    expect((await api.post(path, {})).body.code).toBe('completed')
    expect((await (await project.join('viewer')).api.post(path, {})).status).toBe(403)
    expect((await (await ws.project()).admin.api.post(path, {})).status).toBe(404)
  })

  it.each([
    [{ lease_seconds: 1 }, '/lease_seconds'],
    [{ lease_seconds: null }, '/lease_seconds'],
    [{ holder: '' }, '/holder'],
    [{ holder: 7 }, '/holder'],
  ])('refuses %o', async (body, pointer) => {
    const { api, path } = await setUp()
    const answer = await api.post(path, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].pointer).toBe(pointer)
  })
})

describe('a claim', () => {
  it('is renewed and handed in with its token', async () => {
    const { api, path, status } = await setUp()
    const { fencing_token, expires_at } = (await api.post(path, { lease_seconds: 60 })).body.data.claim
    const renewed = await api.post(`${path}/renew`, { fencing_token, lease_seconds: 600 })
    expect(renewed.status).toBe(200)
    expect(Date.parse(renewed.body.data.expires_at)).toBeGreaterThan(Date.parse(expires_at))
    const released = await api.post(`${path}/release`, { fencing_token, status: 'completed' })
    expect(released.body.data.status).toBe('completed')
    expect(await status()).toBe('completed')
    expect((await api.get(path)).body.data).toBeNull()
  })

  it('that is given back makes the work order ready for a claim with a higher token', async () => {
    const { api, path, status } = await setUp()
    await api.post(path, {})
    await api.post(`${path}/release`, { fencing_token: 1 })
    expect(await status()).toBe('ready')
    expect((await api.post(path, {})).body.data.claim.fencing_token).toBe(2)
  })

  it('that has expired can be taken by another, and then its old holder can change nothing', async () => {
    const { api, path, status, expire } = await setUp()
    await api.post(path, { holder: 'slow' })
    await expire()
    for (const end of ['renew', 'release'])
      expect((await api.post(`${path}/${end}`, { fencing_token: 1 })).body.code).toBe('claim_lost')
    expect((await claimNext(api, { holder: 'next' })).body.data.claim).toMatchObject({
      holder: 'next',
      fencing_token: 2,
    })
    const late = await api.post(`${path}/release`, { fencing_token: 1, status: 'completed' })
    expect(late.status).toBe(409)
    expect(await status()).toBe('in_progress')
  })

  it('that has expired is returned by a job, which leaves a renewed one and a moved work order alone', async () => {
    const { project, api, id, path, status, expire } = await setUp()
    const run = () => returnExpiredClaim({ projectId: project.id, workOrderId: id }, ws.deps)
    await api.post(path, {})
    await run()
    expect(await status()).toBe('in_progress')
    await expire()
    await run()
    expect(await status()).toBe('ready')
    const events = await ws.sql<{ kind: string; origin: string }[]>`select kind, origin from events
      where project_id = ${project.id} and subject_id = ${id} order by events.id`
    expect(events.map(({ kind }) => kind)).toContain('work_order.claim_ended')
    expect(events.at(-1)!.origin).toBe('system')
    await api.post(path, {})
    await ws.sql`update work_orders set status = 'in_review' where project_id = ${project.id} and id = ${id}`
    await expire()
    await run()
    expect(await status()).toBe('in_review')
    expect((await api.get(path)).body.data).toBeNull()
  })

  it('is returned at its end by the queue', async () => {
    const { project, api, id, path } = await setUp()
    await api.post(path, { lease_seconds: 60 })
    const [job] = await ws.sql<{ task: string; seconds: number }[]>`
      select task_identifier as task, extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs
      where key = ${`claim ${project.id} ${id}`}`
    expect(job!.task).toBe('return_expired_claim')
    expect(job!.seconds).toBeGreaterThan(50)
    expect(job!.seconds).toBeLessThanOrEqual(60)
  })
})

describe('the next work order', () => {
  it('is the most urgent that is ready, and none when there is none', async () => {
    const { api } = await setUp({ status: 'backlog' })
    await createWorkOrders(
      api,
      { title: 'low', status: 'ready', priority: 'low' },
      { title: 'urgent', status: 'ready', priority: 'urgent' },
      { title: 'under way', status: 'in_progress', priority: 'urgent' },
    )
    const titles = []
    for (let claimed = await next(api); claimed; claimed = await next(api)) titles.push(claimed.work_order.title)
    expect(titles).toEqual(['urgent', 'low'])
  })

  it('is not one that somebody else is assigned to', async () => {
    const { project, api } = await setUp({ status: 'backlog' })
    const other = await project.join('editor')
    await createWorkOrder(api, { status: 'ready', assignee_id: other.userId })
    expect(await next(api)).toBeNull()
    expect(await next(other.api)).not.toBeNull()
  })

  it('is of a given type', async () => {
    const { api } = await setUp({ status: 'ready', type: 'fix' })
    expect((await claimNext(api, { type: ['build', 'test'] })).body.data).toBeNull()
    expect((await claimNext(api, { type: ['build', 'fix'] })).body.data).not.toBeNull()
  })

  it('is given to one of many workers, each work order exactly once', async () => {
    const { api } = await setUp({ status: 'backlog' })
    await createWorkOrders(api, ...Array.from({ length: 100 }, (_, at) => ({ title: `Part ${at}`, status: 'ready' })))
    const done: string[] = []
    const work = async (worker: number) => {
      const { body } = await untilServed(() => claimNext(api, { holder: `worker-${worker}` }))
      if (!body.data) return
      const { work_order_id, fencing_token } = body.data.claim
      const handedIn = { fencing_token, status: 'completed' }
      const { status } = await untilServed(() => api.post(`/work_orders/${work_order_id}/claim/release`, handedIn))
      if (status === 200) done.push(work_order_id)
    }
    await Promise.all(Array.from({ length: 1_000 }, (_, worker) => work(worker)))
    expect(done).toHaveLength(100)
    expect(new Set(done).size).toBe(100)
  })
})

/** A busy server answers 503, and the caller asks again. */
async function untilServed(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}

async function next(api: Client, body: Record<string, unknown> = {}) {
  const { status, body: answer } = await claimNext(api, body)
  expect(status).toBe(200)
  return answer.data
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { NEVER, TIME, UUID } from '../documents/document.factory.ts'
import { builtInOf, createAutomation, DAILY, type Shown } from './automation.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const namesOf = (items: Shown[]) => items.map((item) => item.name)

describe('POST /automations', () => {
  it('answers with every documented field', async () => {
    const { admin } = await ws.project()
    const { status, body } = await admin.api.post('/automations', {
      name: 'Morning report',
      user_prompt: 'Summarise.',
      triggers: [{ trigger_type: 'code_push' }],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        object: 'automation',
        id: expect.stringMatching(UUID),
        name: 'Morning report',
        enabled: true,
        is_built_in: false,
        triggers: [
          {
            object: 'automation_trigger',
            id: expect.stringMatching(UUID),
            trigger_type: 'code_push',
            config: { cron_expression: null, timezone: null, preset: null },
            filter: null,
            next_fire_at: null,
          },
        ],
        user_prompt: 'Summarise.',
        tool_kit: { object: 'automation_tool_kit', permission_overrides: [] },
        integration_grants: [],
        model: null,
        concurrency: null,
        approval: 'none',
        budget: { tokens_per_day: null, tokens_per_month: null, cost_per_day: null, cost_per_month: null },
        paused: null,
        owner: { object: 'user', id: admin.userId, display_name: admin.name, email: admin.email },
        total_runs_30d: 0,
        successful_runs_30d: 0,
        failed_runs_30d: 0,
        created_at: expect.stringMatching(TIME),
        updated_at: expect.stringMatching(TIME),
      },
    })
    expect((await admin.api.get(`/automations/${body.data.id}`)).body).toEqual(body)
  })

  it('belongs to the creator of the key, also when that is an editor', async () => {
    const project = await ws.project()
    const editor = await project.join('editor')
    expect((await createAutomation(editor.api)).owner.id).toBe(editor.userId)
  })

  it('takes a tool kit and a model', async () => {
    const { admin } = await ws.project()
    const permission_overrides = [
      { domain: 'requirements', restriction: 'cannot_create' },
      { domain: 'automations', restriction: 'cannot_view' },
    ]
    const made = await createAutomation(admin.api, { tool_kit: { permission_overrides }, model: 'no-such-model' })
    expect(made.tool_kit).toEqual({ object: 'automation_tool_kit', permission_overrides })
    expect(made.model).toBe('no-such-model')
    expect((await createAutomation(admin.api, { model: null })).model).toBeNull()
    const longest = 'm'.repeat(10_000)
    expect((await createAutomation(admin.api, { model: longest })).model).toBe(longest)
  })

  it('shows a schedule with what it resolves to and when it fires next', async () => {
    const { admin } = await ws.project()
    const made = await createAutomation(admin.api, {
      triggers: [
        { trigger_type: 'schedule', config: { preset: 'weekdays', timezone: 'Europe/Berlin' } },
        { trigger_type: 'schedule', config: { cron_expression: '*/5 * * * *' } },
        { trigger_type: 'manual', config: null },
        { trigger_type: 'feedback_submitted', config: {} },
        { trigger_type: 'blueprint_updated', config: { cron_expression: null, timezone: null, preset: null } },
      ],
    })
    expect(made.triggers.map((one: Shown) => [one.trigger_type, one.config])).toEqual([
      ['schedule', { cron_expression: '0 9 * * 1-5', timezone: 'Europe/Berlin', preset: 'weekdays' }],
      ['schedule', { cron_expression: '*/5 * * * *', timezone: 'UTC', preset: null }],
      ...['manual', 'feedback_submitted', 'blueprint_updated'].map((type) => [
        type,
        { cron_expression: null, timezone: null, preset: null },
      ]),
    ])
    const [first, second, ...others] = made.triggers.map((one: Shown) => one.next_fire_at)
    expect(first).toMatch(/T0[78]:00:00\.000Z$/)
    expect(Date.parse(second) - Date.now()).toBeLessThanOrEqual(300_000)
    expect(Date.parse(second)).toBeGreaterThan(Date.now() - 1_000)
    expect(others).toEqual([null, null, null])
  })

  it('answers as before when it is repeated with its Idempotency-Key', async () => {
    const { admin } = await ws.project()
    const body = { name: 'Once', user_prompt: 'x', triggers: [] }
    const first = await admin.api.post('/automations', body, { 'idempotency-key': 'a' })
    const again = await admin.api.post('/automations', body, { 'idempotency-key': 'a' })
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await admin.api.get('/automations?name=Once')).body.items).toHaveLength(1)
  })
})

describe('GET /automations', () => {
  it('lists all of them in the order of creation, the built-in one first', async () => {
    const { admin } = await ws.project()
    for (const name of ['b', 'a', 'c']) await createAutomation(admin.api, { name })
    const { body } = await admin.api.get('/automations')
    expect(Object.keys(body)).toEqual(['items'])
    expect(namesOf(body.items)).toEqual(['Feedback triage', 'b', 'a', 'c'])
  })

  it('filters by part of the name in any case, and by whether it is on', async () => {
    const { admin } = await ws.project()
    const report = await createAutomation(admin.api, { name: 'Morning REPORT' })
    await createAutomation(admin.api, { name: '100% of it' })
    await admin.api.patch(`/automations/${report.id}`, { enabled: false })
    const list = async (query: string) => namesOf((await admin.api.get(`/automations?${query}`)).body.items)
    expect(await list('name=report')).toEqual(['Morning REPORT'])
    expect(await list('name=%25')).toEqual(['100% of it'])
    expect(await list('enabled=true')).toEqual(['100% of it'])
    expect(await list('enabled=false')).toEqual(['Feedback triage', 'Morning REPORT'])
    expect(await list('enabled=false&name=morning')).toEqual(['Morning REPORT'])
    expect(await list('name=nothing')).toEqual([])
    expect(await list('name=&page=9&colour=red')).toHaveLength(3)
  })

  it.each(['enabled=yes', 'enabled=1', 'enabled=', `name=${'x'.repeat(201)}`])('refuses ?%s', async (query) => {
    const { admin } = await ws.project()
    expect((await admin.api.get(`/automations?${query}`)).status).toBe(422)
  })

  it('lists fifty with their triggers, whole', async () => {
    const { admin } = await ws.project()
    for (let index = 0; index < 50; index++)
      await createAutomation(admin.api, { name: `n${index}`, triggers: [DAILY, { trigger_type: 'manual' }] })
    const { items } = (await admin.api.get('/automations?name=n')).body
    const mine = items.filter((item: Shown) => !item.is_built_in)
    expect(mine).toHaveLength(50)
    for (const item of mine) expect(item.triggers).toHaveLength(2)
  })
})

describe('PATCH /automations/{id}', () => {
  it('changes only what is given', async () => {
    const { admin } = await ws.project()
    const made = await createAutomation(admin.api, { triggers: [DAILY], model: 'm' })
    for (const change of [{ name: 'Evening report' }, { user_prompt: 'Other.' }, { model: null }, { model: 'other' }]) {
      const before = (await admin.api.get(`/automations/${made.id}`)).body.data
      const { status, body } = await admin.api.patch(`/automations/${made.id}`, change)
      expect(status).toBe(200)
      expect(body.data).toEqual({ ...before, ...change, updated_at: expect.any(String) })
      expect(body.data.updated_at > before.updated_at).toBe(true)
    }
  })

  it('replaces triggers and keeps those that stay the same', async () => {
    const { admin } = await ws.project()
    const made = await createAutomation(admin.api, { triggers: [DAILY, { trigger_type: 'manual' }, DAILY] })
    const [first, , third] = made.triggers
    const { body } = await admin.api.patch(`/automations/${made.id}`, {
      triggers: [
        { trigger_type: 'code_push' },
        DAILY,
        { trigger_type: 'schedule', config: { preset: 'hourly' } },
        DAILY,
      ],
    })
    const types = body.data.triggers.map((one: Shown) => one.config.preset ?? one.trigger_type)
    expect(types).toEqual(['code_push', 'daily', 'hourly', 'daily'])
    expect(body.data.triggers[1]).toEqual(first)
    expect(body.data.triggers[3]).toEqual(third)
    expect((await admin.api.patch(`/automations/${made.id}`, { triggers: [] })).body.data.triggers).toEqual([])
  })

  it('takes back what was read, naming what it does not need', async () => {
    const { admin } = await ws.project()
    const made = await createAutomation(admin.api, { triggers: [DAILY] })
    const { status, body, headers } = await admin.api.patch(`/automations/${made.id}`, made)
    expect(status).toBe(200)
    expect(body.data).toEqual(made)
    expect(headers['x-ignored-fields']).toContain('triggers.0.next_fire_at')
    expect(headers['x-ignored-fields']).toContain('owner')
  })

  it('changes nothing for {} and for what is the same, and leaves no event', async () => {
    const project = await ws.project()
    const { api } = project.admin
    const made = await createAutomation(api, {
      triggers: [DAILY],
      tool_kit: { permission_overrides: [{ domain: 'feedback', restriction: 'cannot_edit' }] },
    })
    await ws.sql`delete from events where project_id = ${project.id}`
    const same = { name: made.name, enabled: true, triggers: [DAILY], tool_kit: made.tool_kit, integration_grants: [] }
    for (const change of [{}, same]) {
      const { status, body } = await api.patch(`/automations/${made.id}`, change)
      expect(status).toBe(200)
      expect(body.data).toEqual(made)
    }
    expect(await ws.sql`select 1 from events where project_id = ${project.id}`).toHaveLength(0)
  })

  it('refuses what has only unknown fields, and names the known ones', async () => {
    const { admin } = await ws.project()
    const { id } = await createAutomation(admin.api)
    const { status, body } = await admin.api.patch(`/automations/${id}`, { title: 'x' })
    expect(status).toBe(422)
    expect(body.detail).toContain('name')
  })

  it('has no next time while it is off, and a fresh one when it is on again', async () => {
    const { admin } = await ws.project()
    const made = await createAutomation(admin.api, { triggers: [DAILY] })
    const next = (change: object) =>
      admin.api.patch(`/automations/${made.id}`, change).then(({ body }) => body.data.triggers[0].next_fire_at)
    expect(await next({ enabled: false })).toBeNull()
    expect(await next({ triggers: [{ trigger_type: 'schedule', config: { preset: 'hourly' } }] })).toBeNull()
    expect(await next({ triggers: [DAILY] })).toBeNull()
    expect(await next({ enabled: true })).toBe(made.triggers[0].next_fire_at)
  })

  it('leaves events that name what changed', async () => {
    const project = await ws.project()
    const { id } = await createAutomation(project.admin.api)
    await project.admin.api.patch(`/automations/${id}`, { name: 'x', enabled: false })
    await project.admin.api.delete(`/automations/${id}`)
    const events = await ws.sql`select kind, payload, user_id from events where subject_id = ${id} order by id`
    expect(events.map(({ kind }) => kind)).toEqual(['automation.created', 'automation.updated', 'automation.deleted'])
    expect(events[1]).toMatchObject({ payload: { fields: ['name', 'enabled'] }, user_id: project.admin.userId })
  })

  it('loses nothing when many write at once', async () => {
    const { admin } = await ws.project()
    const { id } = await createAutomation(admin.api, { triggers: [DAILY] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        admin.api.patch(`/automations/${id}`, index % 2 ? { name: `n${index}` } : { triggers: [DAILY, DAILY] }),
      ),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    const { data } = (await admin.api.get(`/automations/${id}`)).body
    expect(data.name).toMatch(/^n\d+$/)
    expect(data.triggers).toHaveLength(2)
  })
})

describe('what is not there', () => {
  it('is the same 404 for an id of another project and one that never was', async () => {
    const [mine, other] = [await ws.project(), await ws.project()]
    const { id } = await createAutomation(other.admin.api)
    for (const [path, call] of [
      ['', 'get'],
      ['', 'delete'],
      ['/runs', 'get'],
    ] as const) {
      const answers = await Promise.all([id, NEVER].map((one) => mine.admin.api[call](`/automations/${one}${path}`)))
      expect(answers.map((answer) => answer.status)).toEqual([404, 404])
      const bare = answers.map(({ body }, index) => body.detail.replace([id, NEVER][index], 'ID'))
      expect(bare[0]).toBe(bare[1])
    }
    expect((await mine.admin.api.patch(`/automations/${id}`, { name: 'x' })).status).toBe(404)
    expect((await other.admin.api.get(`/automations/${id}`)).status).toBe(200)
  })

  it('is 422 when the id is no uuid, and 405 for other methods', async () => {
    const { admin } = await ws.project()
    expect((await admin.api.get('/automations/first')).status).toBe(422)
    const put = await admin.api.put('/automations', {})
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})

describe('DELETE /automations/{id}', () => {
  it('takes the automation with its history', async () => {
    const { admin } = await ws.project()
    const { id } = await createAutomation(admin.api)
    const { status, text } = await admin.api.delete(`/automations/${id}`)
    expect([status, text]).toEqual([204, ''])
    expect((await admin.api.get(`/automations/${id}`)).status).toBe(404)
  })

  it('refuses a built-in one', async () => {
    const { admin } = await ws.project()
    const { status, body } = await admin.api.delete(`/automations/${(await builtInOf(admin.api)).id}`)
    expect([status, body.code]).toEqual([403, 'built_in'])
  })
})

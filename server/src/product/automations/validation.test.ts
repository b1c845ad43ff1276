import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { NEVER } from '../documents/document.factory.ts'
import { createAutomation } from './automation.factory.ts'

let ws: Workspace
let api: Client
let id: string
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
  id = (await createAutomation(api)).id
})
afterAll(() => ws.close())

const good = { name: 'Report', user_prompt: 'Summarise.', triggers: [] }
const schedule = (config: unknown) => ({ triggers: [{ trigger_type: 'schedule', config }] })

/** What is wrong in a field is wrong in both writes. */
const WRONG: [string, Record<string, unknown>, string][] = [
  ['a name that is a number', { name: 7 }, '/name'],
  ['a name that is null', { name: null }, '/name'],
  ['an empty name', { name: '' }, '/name'],
  ['a blank name', { name: '  ' }, '/name'],
  ['a name over 200', { name: 'x'.repeat(201) }, '/name'],
  ['a name with a control character', { name: 'a\u0000b' }, '/name'],
  ['a prompt that is null', { user_prompt: null }, '/user_prompt'],
  ['an empty prompt', { user_prompt: '' }, '/user_prompt'],
  ['a prompt over 100,000', { user_prompt: 'x'.repeat(100_001) }, '/user_prompt'],
  ['triggers that are null', { triggers: null }, '/triggers'],
  ['triggers that are an object', { triggers: {} }, '/triggers'],
  ['a trigger that is text', { triggers: ['manual'] }, '/triggers/0'],
  ['a trigger without a type', { triggers: [{}] }, '/triggers/0/trigger_type'],
  ['an unknown trigger type', { triggers: [{ trigger_type: 'webhook' }] }, '/triggers/0/trigger_type'],
  ['51 triggers', { triggers: Array(51).fill({ trigger_type: 'manual' }) }, '/triggers'],
  ['a config that is text', schedule('daily'), '/triggers/0/config'],
  ['a schedule without config', schedule(undefined), '/triggers/0/config/cron_expression'],
  ['a schedule with a null config', schedule(null), '/triggers/0/config/cron_expression'],
  ['a schedule with an empty config', schedule({}), '/triggers/0/config/cron_expression'],
  ['a schedule with only a time zone', schedule({ timezone: 'UTC' }), '/triggers/0/config/cron_expression'],
  ['an empty expression', schedule({ cron_expression: '' }), '/triggers/0/config/cron_expression'],
  ['six fields', schedule({ cron_expression: '0 0 9 * * *' }), '/triggers/0/config/cron_expression'],
  ['a minute of 60', schedule({ cron_expression: '60 9 * * *' }), '/triggers/0/config/cron_expression'],
  ['February 30', schedule({ cron_expression: '0 9 30 2 *' }), '/triggers/0/config/cron_expression'],
  ['an expression that is a number', schedule({ cron_expression: 5 }), '/triggers/0/config/cron_expression'],
  ['an unknown preset', schedule({ preset: 'yearly' }), '/triggers/0/config/preset'],
  ['an unknown time zone', schedule({ preset: 'daily', timezone: 'Mars' }), '/triggers/0/config/timezone'],
  ['an offset as time zone', schedule({ preset: 'daily', timezone: '+01:00' }), '/triggers/0/config/timezone'],
  ['both, disagreeing', schedule({ preset: 'daily', cron_expression: '0 8 * * *' }), '/triggers/0/config/preset'],
  [
    'a config on another type',
    { triggers: [{ trigger_type: 'manual' }, { trigger_type: 'code_push', config: { preset: 'daily' } }] },
    '/triggers/1/config/preset',
  ],
  [
    'a time zone on another type',
    { triggers: [{ trigger_type: 'manual', config: { timezone: 'UTC' } }] },
    '/triggers/0/config/timezone',
  ],
  ['a tool kit that is null', { tool_kit: null }, '/tool_kit'],
  ['a tool kit without overrides', { tool_kit: {} }, '/tool_kit/permission_overrides'],
  [
    'an unknown domain',
    { tool_kit: { permission_overrides: [{ domain: 'mail', restriction: 'cannot_view' }] } },
    '/tool_kit/permission_overrides/0/domain',
  ],
  [
    'an unknown restriction',
    { tool_kit: { permission_overrides: [{ domain: 'feedback', restriction: 'can_view' }] } },
    '/tool_kit/permission_overrides/0/restriction',
  ],
  [
    'an override without a restriction',
    { tool_kit: { permission_overrides: [{ domain: 'feedback' }] } },
    '/tool_kit/permission_overrides/0/restriction',
  ],
  ['grants that are null', { integration_grants: null }, '/integration_grants'],
  ['grants that are text', { integration_grants: 'all' }, '/integration_grants'],
  ['a grant that is a number', { integration_grants: [7] }, '/integration_grants/0'],
  ['a grant without an id', { integration_grants: [{}] }, '/integration_grants/0'],
  ['a grant that nobody connected', { integration_grants: ['none'] }, '/integration_grants/0'],
  ['a model that is a number', { model: 4 }, '/model'],
]

describe.each([
  ['POST', (body: unknown) => api.post('/automations', body)],
  ['PATCH', (body: unknown) => api.patch(`/automations/${id}`, body)],
] as const)('%s refuses', (method, send) => {
  it.each(WRONG)('%s', async (_what, part, pointer) => {
    const before = (await api.get('/automations')).body
    const { status, body } = await send(method === 'POST' ? { ...good, ...part } : part)
    expect([status, body.status]).toEqual([422, 422])
    expect(body.errors.map((error: { pointer: string }) => error.pointer).join()).toContain(pointer)
    expect((await api.get('/automations')).body).toEqual(before)
  })
})

it.each(['name', 'user_prompt', 'triggers'])('POST needs %s', async (field) => {
  const { [field as keyof typeof good]: _, ...rest } = good
  const { status, body } = await api.post('/automations', rest)
  expect([status, body.errors[0].pointer]).toEqual([422, `/${field}`])
})

it.each([null, 'yes', 1])('PATCH refuses enabled %s', async (enabled) => {
  expect((await api.patch(`/automations/${id}`, { enabled })).status).toBe(422)
})

it('refuses no JSON, an empty body and what is no object', async () => {
  const json = { 'content-type': 'application/json' }
  expect((await api.post('/automations', '{', json)).status).toBe(400)
  expect((await api.post('/automations', '', json)).status).toBe(400)
  expect((await api.post('/automations', [])).status).toBe(422)
})

it('says which value is wrong, where, and what would do', async () => {
  const { body } = await api.post('/automations', { ...good, ...schedule({ cron_expression: '0 25 * * *' }) })
  expect(body.errors).toEqual([
    {
      pointer: '/triggers/0/config/cron_expression',
      detail: 'In the second field (hour): "25" is not from 0 to 23.',
    },
  ])
})

it('names unknown fields, also inside of triggers', async () => {
  const { status, headers } = await api.post('/automations', {
    ...good,
    colour: 'red',
    triggers: [{ trigger_type: 'manual', config: { every: 5 }, id: NEVER }],
  })
  expect(status).toBe(201)
  expect(headers['x-ignored-fields']?.split(', ').sort()).toEqual([
    'colour',
    'triggers.0.config.every',
    'triggers.0.id',
  ])
})

it('takes names of 200 characters and prompts of 100,000', async () => {
  const made = await createAutomation(api, { name: '🙂'.repeat(200), user_prompt: 'x'.repeat(100_000) })
  expect([...made.name]).toHaveLength(200)
})

it('checks the shape before it looks for the automation', async () => {
  const wrong = await api.patch(`/automations/${NEVER}`, schedule({ cron_expression: 'x' }))
  expect(wrong.status).toBe(422)
  expect((await api.patch(`/automations/${NEVER}`, { name: 'x' })).status).toBe(404)
})

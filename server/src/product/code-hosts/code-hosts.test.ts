import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { settingsWith } from '../conversations/turns/agent.factory.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { githubPullRequest, githubPush, gitlabMergeRequest, gitlabPush } from './payloads.factory.ts'
import { forgetOldReceipts } from './queries.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace({
    settings: settingsWith({ secretKey: () => Promise.resolve('k'.repeat(40)) }),
  })
})
afterAll(() => workspace.close())

let deliveries = 0

async function setUp(kind: 'github' | 'gitlab', more: object = {}) {
  const project = await workspace.project()
  const { api } = project.admin
  const made = await api.post('/code_hosts', { kind, name: 'shop/checkout', ...more })
  expect(made.status).toBe(201)
  const { code_host: host, secret } = made.body.data as { code_host: { id: string; url: string }; secret: string }
  const path = new URL(host.url).pathname
  const nobody = workspace.client(undefined)
  const post = (payload: object, headers: Record<string, string>) => nobody.post(path, JSON.stringify(payload), headers)
  const github = (event: string, payload: object, id = `github-${++deliveries}`) =>
    post(payload, {
      'x-github-event': event,
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(JSON.stringify(payload)).digest('hex')}`,
    })
  const gitlab = (payload: object, id = `gitlab-${++deliveries}`) =>
    post(payload, { 'x-gitlab-token': secret, 'idempotency-key': id })
  const workOrder = await createWorkOrder(api)
  const read = async () => (await api.get(`/work_orders/${workOrder.id}`)).body.data
  const code = async () => (await api.get(`/work_orders/${workOrder.id}/code`)).body.items
  const setStatus = async (status: string) => {
    const target = { work_order_id: workOrder.id }
    const operation = { operation_id: '1', operation_type: 'UpdateStatus', target, patch: { status } }
    const answer = await api.post('/work_orders/batch_update', { request_id: status, operations: [operation] })
    expect(answer.status).toBe(200)
  }
  const events = (kind: string) =>
    workspace.sql`select payload, origin from events where project_id = ${project.id} and kind = ${kind} order by id`
  return {
    project,
    api,
    host,
    secret,
    path,
    post,
    github,
    gitlab,
    workOrder,
    key: `WO-${workOrder.number}`,
    read,
    setStatus,
    code,
    events,
  }
}

/** Copies of a value in which one of its parts is something else. */
function* brokenBy(value: object, wrong: unknown): Generator<object> {
  for (const [name, part] of Object.entries(value)) {
    yield { ...value, [name]: wrong }
    if (part === null || typeof part !== 'object') continue
    for (const broken of brokenBy(part, wrong))
      yield { ...value, [name]: Array.isArray(part) ? Object.values(broken) : broken }
  }
}

describe('GitHub', () => {
  test('a push raises code_push once, and links its commits to the work orders that they name', async () => {
    const { github, key, code, events, host, api } = await setUp('github')
    const payload = githubPush(`Round once (${key.toLowerCase()})\n\nSee XWO-1, WO-99999 and ${key}.`)
    expect((await github('push', payload, 'same')).body).toEqual({ status: 'applied' })
    expect((await github('push', payload, 'same')).body).toEqual({ status: 'repeated' })
    const pushes = await events('code.pushed')
    expect(pushes).toHaveLength(1)
    expect(pushes[0]).toMatchObject({
      origin: 'system',
      payload: {
        repository: 'Codertocat/Hello-World',
        ref: 'refs/heads/master',
        commit_id: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
        pushed_by: 'Codertocat',
        commits: [{ author: 'Codertocat', paths: ['README.md', 'src/total.ts'] }],
      },
    })
    expect(await code()).toEqual([
      {
        object: 'work_order_code',
        kind: 'commit',
        repository: 'Codertocat/Hello-World',
        reference: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
        title: `Round once (${key.toLowerCase()})`,
        url: 'https://github.com/Codertocat/Hello-World/commit/6113728f27ae82c7b1a177c8d03f9e96e0adf246',
        author: 'Codertocat',
        state: null,
        changed_at: '2019-05-15T15:19:25.000Z',
      },
    ])
    expect(await events('work_order.code_linked')).toHaveLength(1)
    const [listed] = (await api.get('/code_hosts')).body.items
    expect(listed).toMatchObject({ id: host.id, kind: 'github' })
    expect(listed.last_received_at).not.toBeNull()
  })

  test('the name of a branch links, too; tags and deleted branches are ignored', async () => {
    const { github, key, code, events } = await setUp('github')
    const branch = githubPush('Round once', `refs/heads/feature/${key.toLowerCase()}-round-once`)
    await github('push', branch)
    expect(await code()).toHaveLength(1)
    const ignored = [
      githubPush('x', 'refs/tags/v1'),
      { ...githubPush('x'), deleted: true, after: '0'.repeat(40), commits: [] },
    ]
    for (const one of ignored) expect((await github('push', one)).body).toEqual({ status: 'ignored' })
    expect((await github('ping', { zen: 'Keep it simple.' })).body).toEqual({ status: 'ignored' })
    expect(await events('code.pushed')).toHaveLength(1)
  })

  test('a pull request follows its states, and what arrives late does not undo them', async () => {
    const { github, key, code, read } = await setUp('github')
    const body = `Fixes ${key}.`
    await github('pull_request', githubPullRequest('opened', { body, draft: true }))
    expect((await code())[0]).toMatchObject({
      kind: 'pull_request',
      reference: '2',
      state: 'draft',
      author: 'Codertocat',
    })
    const updated_at = '2019-05-16T00:00:00Z'
    await github('pull_request', githubPullRequest('closed', { body, merged: true, updated_at }))
    await github('pull_request', githubPullRequest('edited', { body, title: 'Older' }))
    expect(await code()).toHaveLength(1)
    expect((await code())[0]).toMatchObject({ state: 'merged', title: 'Update the README with new information.' })
    expect((await read()).status).toBe('backlog')
  })

  test('moves work orders forward only if that is switched on', async () => {
    const { github, key, read, setStatus } = await setUp('github', { review_opened: true, complete_merged: true })
    const title = `${key}: round once`
    await github('pull_request', githubPullRequest('opened', { title, draft: true }))
    expect((await read()).status).toBe('backlog')
    await github('pull_request', githubPullRequest('ready_for_review', { title }))
    expect((await read()).status).toBe('in_review')
    await github('pull_request', githubPullRequest('closed', { title, merged: true, base: { ref: 'release-1' } }))
    expect((await read()).status).toBe('in_review')
    await github('pull_request', githubPullRequest('closed', { title, merged: true }))
    expect((await read()).status).toBe('completed')
    await github('pull_request', githubPullRequest('reopened', { title }))
    expect((await read()).status).toBe('completed')
    await setStatus('blocked')
    await github('pull_request', githubPullRequest('reopened', { title }))
    expect((await read()).status).toBe('blocked')
  })

  test('is refused without the right signature, and so is an address that does not exist', async () => {
    const { post, path, events, code } = await setUp('github')
    const payload = githubPush('WO-1')
    const wrong = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
    const refused = await post(payload, wrong)
    expect(refused.body).toMatchObject({ status: 401, code: 'bad_signature' })
    expect((await post(payload, { 'x-github-event': 'push' })).status).toBe(401)
    const nobody = workspace.client(undefined)
    const missing = await nobody.post(path.replace(/[^/]+$/, uuidv7()), JSON.stringify(payload), wrong)
    expect({ ...missing.body, request_id: '' }).toEqual({ ...refused.body, request_id: '' })
    expect((await nobody.post(path.replace('github', 'gitlab'), '{}', {})).status).toBe(401)
    expect((await nobody.post(path, 'x'.repeat(5 * 1024 * 1024 + 1), wrong)).status).toBe(413)
    expect((await events('code.pushed')).length + (await code()).length).toBe(0)
  })

  test('a delivery that is sent again under another id is not applied again, however old it is', async () => {
    const { github, key, read, setStatus } = await setUp('github', { complete_merged: true })
    const merged = githubPullRequest('closed', { title: key, merged: true })
    expect((await github('pull_request', merged, 'first')).body).toEqual({ status: 'applied' })
    await setStatus('in_progress')
    await workspace.sql`update code_host_receipts set received_at = now() - interval '1 year'`
    await forgetOldReceipts(workspace.sql)
    expect((await github('pull_request', merged, 'second')).body).toEqual({ status: 'repeated' })
    expect((await read()).status).toBe('in_progress')
  })

  test('what it signs is applied, ignored or refused, whatever is missing or wrong in it', async () => {
    const { github, secret, path } = await setUp('github')
    const wrongs = [null, 1, 'x', [], {}, true, [null]]
    for (const wrong of wrongs) {
      const expected = Array.isArray(wrong) || typeof wrong !== 'object' || wrong === null ? 400 : 200
      expect((await github('push', wrong as object)).status, JSON.stringify(wrong)).toBe(expected)
    }
    const payloads = { push: githubPush('WO-1'), pull_request: githubPullRequest('opened', {}) }
    for (const [event, payload] of Object.entries(payloads))
      for (const broken of [null, [null]].flatMap((wrong) => [...brokenBy(payload, wrong)]))
        expect((await github(event, broken)).status, JSON.stringify(broken)).toBe(200)
    const form = 'payload=null'
    const answer = await workspace.client(undefined).post(path, form, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(form).digest('hex')}`,
    })
    expect(answer.body).toMatchObject({ status: 400, code: 'malformed_json' })
  })

  test('may send forms, as it does by default', async () => {
    const { secret, path, key, code } = await setUp('github')
    const form = new URLSearchParams({ payload: JSON.stringify(githubPush(key)) }).toString()
    const answer = await workspace.client(undefined).post(path, form, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(form).digest('hex')}`,
    })
    expect(answer.body).toEqual({ status: 'applied' })
    expect(await code()).toHaveLength(1)
  })

  test('is not believed about addresses that are unsafe to open', async () => {
    const { github, key, code } = await setUp('github')
    const html_url = 'javascript:alert(1)'
    await github('pull_request', githubPullRequest('opened', { title: key, html_url }))
    expect((await code())[0].url).toBe('')
  })
})

describe('GitLab', () => {
  test('pushes and merge requests do the same, known by the token', async () => {
    const { gitlab, key, code, read, events } = await setUp('gitlab', { review_opened: true, complete_merged: true })
    expect((await gitlab(gitlabPush(`Fix ${key}`), 'same')).body).toEqual({ status: 'applied' })
    expect((await gitlab(gitlabPush(`Fix ${key}`), 'same')).body).toEqual({ status: 'repeated' })
    expect((await events('code.pushed'))[0]!.payload).toMatchObject({
      repository: 'mike/diaspora',
      pushed_by: 'John Smith',
    })
    const source_branch = `${key}-viewport`
    await gitlab(gitlabMergeRequest('open', { source_branch, draft: true }))
    expect((await read()).status).toBe('backlog')
    await gitlab(gitlabMergeRequest('update', { source_branch }, { draft: { previous: true, current: false } }))
    expect((await read()).status).toBe('in_review')
    await gitlab(gitlabMergeRequest('merge', { source_branch, updated_at: '2013-12-04 17:23:34 UTC' }))
    expect((await read()).status).toBe('completed')
    expect(
      (await code()).map(({ kind, reference, state }: Record<string, string>) => [kind, reference, state]),
    ).toEqual([
      ['pull_request', '1', 'merged'],
      ['commit', 'b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327', null],
    ])
    expect((await gitlab({ object_kind: 'note' })).body).toEqual({ status: 'ignored' })
  })

  test('signs as a Standard Webhook where it has a signing token, which is checked before the token', async () => {
    const signing = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const { post, key, code, secret } = await setUp('gitlab', { secret: signing })
    expect(secret).toBe(signing)
    const payload = gitlabPush(key)
    const sign = (at: Date, text = JSON.stringify(payload)) => ({
      'webhook-id': 'one',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(signing).sign('one', at, text),
    })
    const old = new Date(Date.now() - 10 * 60_000)
    expect((await post(payload, { ...sign(old), 'x-gitlab-token': signing })).status).toBe(401)
    expect((await post(payload, { ...sign(new Date(), '{}'), 'x-gitlab-token': signing })).status).toBe(401)
    expect((await post(payload, sign(new Date()))).body).toEqual({ status: 'applied' })
    expect(await code()).toHaveLength(1)
  })
})

describe('a code host', () => {
  test('of a deleted project receives nothing from the moment of its deletion', async () => {
    const { project, github, key } = await setUp('github')
    await workspace.sql`update projects set deleted_at = now() where id = ${project.id}`
    expect((await github('push', githubPush(key))).body).toMatchObject({ status: 401, code: 'bad_signature' })
  })

  test('is changed and removed by admins only, and keeps what it linked', async () => {
    const { project, api, host, secret, github, key, code, post } = await setUp('github')
    await github('push', githubPush(key))
    const path = `/code_hosts/${host.id}`
    for (const role of ['editor', 'viewer'] as const) {
      const { api: other } = await project.join(role)
      expect((await other.get('/code_hosts')).body).toMatchObject({ status: 403, code: 'not_admin' })
      expect((await other.patch(path, { name: 'x' })).status).toBe(403)
      expect((await other.delete(path)).status).toBe(403)
      expect((await other.post(`${path}/rotate_secret`)).status).toBe(403)
      expect((await other.post('/code_hosts', { kind: 'github', name: 'x' })).status).toBe(403)
    }
    const { api: stranger } = (await workspace.project()).admin
    expect((await stranger.patch(path, { name: 'x' })).status).toBe(404)
    expect((await stranger.get(`/work_orders/${uuidv7()}/code`)).status).toBe(404)
    const changed = await api.patch(path, { name: 'Renamed', review_opened: true })
    expect(changed.body.data).toMatchObject({ name: 'Renamed', review_opened: true, complete_merged: false })
    const rotated = (await api.post(`${path}/rotate_secret`)).body.data
    expect(rotated.secret).not.toBe(secret)
    expect((await github('push', githubPush(key))).status).toBe(401)
    expect((await api.get('/code_hosts')).text).not.toContain(rotated.secret.slice(6))
    expect((await api.delete(path)).status).toBe(204)
    expect((await post({}, {})).status).toBe(401)
    expect(await code()).toHaveLength(1)
  })
})

describe('an address', () => {
  /** Sends within one minute, however long it takes. */
  async function statusesOf(count: number, send: () => Promise<{ statusCode: number }>): Promise<number[]> {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    const statuses: number[] = []
    for (let sent = 0; sent < count; sent += 20)
      for (const { statusCode } of await Promise.all(Array.from({ length: 20 }, send))) statuses.push(statusCode)
    return statuses
  }

  test('may send 600 deliveries a minute to a code host, and further ones to another', async () => {
    const [busy, quiet] = [await setUp('gitlab'), await setUp('gitlab')]
    const send = ({ path, secret }: typeof busy, remoteAddress: string) =>
      workspace.app.inject({
        method: 'POST',
        url: path,
        remoteAddress,
        headers: { 'x-gitlab-token': secret, 'content-type': 'application/json' },
        payload: { object_kind: 'note' },
      })
    expect(new Set(await statusesOf(600, () => send(busy, '203.0.113.60')))).toEqual(new Set([200]))
    const refused = await send(busy, '203.0.113.60')
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited'])
    expect((await send(busy, '203.0.113.61')).statusCode).toBe(200)
    expect((await send(quiet, '203.0.113.60')).statusCode).toBe(200)
  })

  test('may send 600 deliveries a minute that no secret has signed, to any address', async () => {
    const send = () =>
      workspace.app.inject({
        method: 'POST',
        url: `/v2/hooks/github/${uuidv7()}`,
        remoteAddress: '203.0.113.62',
        headers: { 'content-type': 'application/json' },
        payload: {},
      })
    expect(new Set(await statusesOf(600, send))).toEqual(new Set([401]))
    expect((await send()).statusCode).toBe(429)
  })
})

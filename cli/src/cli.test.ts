import { spawn } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { report } from '../../server/src/product/feedback/feedback.factory.ts'
import { createWorkOrder, createWorkOrders } from '../../server/src/product/work-orders/work-order.factory.ts'
import { eventually } from '../../server/test/harness.ts'
import { BIN, run, useServer } from './command-line.factory.ts'

const { setUp } = useServer()

describe('signing in', () => {
  it('checks the key and keeps it where only this user can read it', async () => {
    const { project, home, baseUrl } = await setUp()
    const env = { XDG_CONFIG_HOME: home }
    expect((await run(['wo', 'list'], env)).code).toBe(3)
    const wrong = await run(['login', '--url', baseUrl, '--key', 'sofa-ext-nonsense'], env)
    expect(wrong.code).toBe(3)
    const { code, out } = await run(['login', baseUrl, '--key', project.admin.key], env)
    expect(code).toBe(0)
    const file = path.join(home, 'slipway', 'profiles.json')
    expect(out).toContain(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await run(['wo', 'list'], env)).code).toBe(0)
    expect((await run(['logout'], env)).code).toBe(0)
    expect((await run(['wo', 'list'], env)).code).toBe(3)
  })
})

describe('work orders', () => {
  it('are created, changed, listed, commented and deleted', async () => {
    const { env, slipway, json } = await setUp()
    const { work_order_number: number } = await json('wo', 'create', '--title', 'Round once', '--priority', 'high')
    expect((await slipway('wo', 'update', `WO-${number}`, '--status', 'ready')).out).toContain('Changed WO-')
    expect((await json('wo', 'comments', `${number}`)).length).toBe(0)
    const table = (await slipway('wo', 'list')).out
    expect(table).toMatch(/^NUMBER\s+STATUS\s+PRIORITY\s+ASSIGNEE\s+TITLE\n\d+\s+ready\s+high\s+–\s+Round once/)
    expect((await run(['wo', 'comment', `${number}`], env, 'From standard input.')).code).toBe(0)
    expect((await slipway('wo', 'comments', `${number}`)).out).toContain('From standard input.')
    expect((await slipway('wo', 'delete', `${number}`)).code).toBe(2)
    expect((await slipway('wo', 'delete', `${number}`, '--yes')).code).toBe(0)
    expect((await slipway('wo', 'get', `${number}`)).code).toBe(4)
    const unknown = await slipway('wo', 'show', `${number}`)
    expect(unknown.code).toBe(2)
    expect(unknown.err).toContain('"slipway wo" has no command "show", but list, search, get')
  })

  it('are claimed, read with their context and handed in', async () => {
    const { api, slipway, json } = await setUp()
    const { number } = await createWorkOrder(api, { status: 'ready', markdown_content: 'Off by a cent.' })
    const { claim } = await json('wo', 'next', '--claim', '--holder', 'agent-7')
    expect(claim.holder).toBe('agent-7')
    expect((await slipway('wo', 'claim', `${number}`)).code).toBe(5)
    expect((await slipway('wo', 'context', `${number}`, '--budget', '500')).out).toContain('Off by a cent.')
    expect((await slipway('wo', 'release', `${number}`, '--token', '9', '--status', 'completed')).code).toBe(5)
    const released = await json('wo', 'release', `${number}`, '--token', '1', '--status', 'completed')
    expect(released.status).toBe('completed')
    expect((await slipway('wo', 'next', '--claim')).code).toBe(4)
  })

  it('say when a list is not all of them', async () => {
    const { api, slipway } = await setUp()
    await createWorkOrders(api, { title: 'One' }, { title: 'Two' }, { title: 'Three' })
    expect((await slipway('wo', 'list', '--limit', '2')).out).toContain('These are the first 2. Use --limit')
    expect((await slipway('wo', 'list', '--limit', '3')).out).not.toContain('These are')
    const { out, err } = await slipway('wo', 'list', '--limit', '2', '--json')
    expect([JSON.parse(out).length, err]).toEqual([2, expect.stringContaining('Use --limit')])
  })

  it('with hostile titles do not reach the terminal as they are', async () => {
    const { api, slipway } = await setUp()
    await createWorkOrders(api, { title: 'red \u202e title' })
    expect((await slipway('wo', 'list')).out).not.toContain('\u202e')
  })
})

describe('mistakes', () => {
  it.each([
    [['wo', 'list', '--status', 'nonsense'], 2, /Allowed choices/],
    [['wo', 'get', 'twelve'], 2, /such as 12/],
    [['nothing'], 2, /unknown command/],
    [['wo', 'update', '1'], 2, /what to change/],
    [['api', 'GET', '/nothing'], 4, /404/],
    [['api', 'FETCH', '/users'], 2, /none of GET, POST/],
    [['api', 'GET', '/users', '--data', '{}'], 2, /takes no --data/],
    [['--key', 'sofa-ext-nonsense', 'api', 'GET', '/users'], 3, /401/],
    [['--key', 'sofa-ext-nonsense', 'users'], 3, /does not know this key.*slipway login/],
    [['--url', 'nonsense', 'users'], 2, /"nonsense" is not an address/],
    [['--profile', 'nonsense', 'users'], 4, /no profile "nonsense"/],
    [['wo', 'search', ' '], 1, /^slipway: "\/query": It must not be blank\.\n\(request [^\n]+\)\n$/],
    [['wo', 'create', '--title', 'x', '--description', 'nothing.md'], 4, /no file or folder "nothing\.md"/],
    [['docs', 'delete', '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'], 2, /--yes/],
    [['artifacts', 'delete', '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'], 2, /--yes/],
    [['import', '/'], 4, /no file "\/"/],
    [['export', '/nothing/here.zip'], 4, /no folder "\/nothing"/],
    [['feedback', 'tail', '--last', 'some'], 2, /whole number/],
    [['conformance', 'http://127.0.0.1:9'], 6, /"http:\/\/127\.0\.0\.1:9" cannot be reached/],
    [['start', 'now'], 2, /too many arguments/],
    [['demo', '--fill'], 2, /unknown option/],
  ])('%o', async (args, code, says) => {
    const { slipway } = await setUp()
    const ran = await slipway(...args)
    expect(ran.code).toBe(code)
    expect(ran.err).toMatch(says)
  })

  it('a server that is not there', async () => {
    const { env } = await setUp()
    const ran = await run(['wo', 'list'], { ...env, SLIPWAY_URL: 'http://127.0.0.1:2' })
    expect(ran.code).toBe(6)
    expect(ran.err).toContain('ECONNREFUSED 127.0.0.1:2')
  })
})

describe('other resources', () => {
  it('are listed, read and changed', async () => {
    const { project, slipway, json, home } = await setUp()
    const reporter = await project.join('editor', 'reporting')
    await report(reporter, 'The refund fails.', { end_user_email: 'grace@example.org' })
    expect((await slipway('feedback', 'list')).out).toContain('The refund fails.')
    expect((await slipway('feedback', 'get', 'fb-1')).out).toContain('grace@example.org')
    expect((await slipway('themes', 'create', 'Refunds', '--type', 'bug')).out).toBe('Made TH-1.\n')
    expect((await slipway('themes', 'link', 'TH-1', 'FB-1')).out).toBe('FB-1 is in TH-1.\n')
    expect((await slipway('themes', 'get', 'TH-1')).out).toContain('> The refund fails.')
    expect((await slipway('themes', 'update', 'TH-1')).code).toBe(2)
    expect((await slipway('themes', 'get', 'TH-9')).code).toBe(4)

    const file = path.join(home, 'bytes.bin')
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
    await writeFile(file, bytes)
    const [{ id, size_bytes }] = await json('artifacts', 'upload', file)
    expect(size_bytes).toBe(bytes.length)
    expect((await slipway('artifacts', 'list')).out).toContain('bytes.bin')
    const copy = path.join(home, 'copy.bin')
    expect((await slipway('artifacts', 'download', id, '--out', copy)).code).toBe(0)
    expect(await readFile(copy)).toEqual(bytes)
    expect((await slipway('artifacts', 'download', id, '--out', copy)).code).toBe(5)

    expect((await slipway('automations', 'enable', 'feedback triage')).out).toBe('"Feedback triage" is enabled.\n')
    expect((await slipway('automations', 'get', 'Feedback triage')).out).toContain('feedback_submitted')
    const { webhook } = await json('webhooks', 'create', 'https://hooks.example.org', '--name', 'Board')
    expect((await slipway('webhooks', 'disable', webhook.id)).out).toBe('"Board" is disabled.\n')
    expect((await slipway('webhooks', 'rotate', webhook.id)).out).toContain('whsec_')
    expect((await slipway('webhooks', 'delete', webhook.id)).code).toBe(2)
    expect(await json('webhooks', 'delete', webhook.id, '--yes')).toEqual({ id: webhook.id, deleted: true })
    expect(await json('webhooks')).toEqual([])

    expect((await slipway('conversations')).out).toBe('Nothing found.\n')
    expect((await json('users'))[0].email).toContain('@')
  })

  it('are followed while the server restarts', async () => {
    const { project, env, baseUrl } = await setUp()
    const reporter = await project.join('editor', 'reporting')
    await report(reporter, 'The first.')
    let isDown = false
    let refused = 0
    const proxy = createServer(async (req, res) => {
      if (isDown) {
        refused++
        req.socket.destroy()
        return
      }
      const answer = await fetch(baseUrl + req.url, { headers: { 'x-api-key': String(req.headers['x-api-key']) } })
      res.end(await answer.text())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    const tail = spawn(process.execPath, [BIN, 'feedback', 'tail'], {
      env: { ...env, SLIPWAY_URL: `http://127.0.0.1:${port}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => {
      tail.kill()
      proxy.close()
    })
    const lines = createInterface({ input: tail.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toContain('The first.')
    isDown = true
    // More than one request repeats by itself.
    await eventually(() => refused > 3)
    await report(reporter, 'The second.')
    isDown = false
    expect((await lines.next()).value).toContain('The second.')
  })

  it('include one document with its review', async () => {
    const { api, slipway, json } = await setUp()
    const { id } = await json('docs', 'create', 'Refunds')
    await api.patch(`/requirements/${id}`, { markdown_content: 'To the card.\n' })
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'card', new_text: 'account' })
    expect((await slipway('docs', 'suggestions', id)).out).toContain('account')
    expect((await slipway('docs', 'accept', id)).out).toBe('Accepted. The document is at version 4.\n')
    expect((await slipway('docs', 'get', id)).out).toBe('To the account.\n')
    expect((await slipway('docs', 'comment', id, 'Why?')).code).toBe(0)
    expect((await slipway('docs', 'comments', id)).out).toContain('Why?')
    expect((await slipway('docs', 'versions', id)).out.split('\n')).toHaveLength(6)
    expect((await slipway('docs', 'rename', id, 'Returns')).code).toBe(0)
    const [blueprint] = await json('docs', 'list', '--kind', 'blueprints')
    expect((await json('docs', 'get', blueprint.id)).title).toBe('Returns')
    expect((await slipway('docs', 'search', 'Returns')).out).toContain(blueprint.id)
    expect((await slipway('docs', 'list', '--kind', 'blueprints')).out).toContain('Returns')
    expect(await json('docs', 'delete', id, '--yes')).toEqual({ id, deleted: true })
    expect((await slipway('docs', 'get', id)).code).toBe(4)
  })
})

describe('help', () => {
  it.each(['start', 'demo'])('of "%s" runs nothing', async (command) => {
    const { slipway } = await setUp()
    const { code, out } = await slipway(command, '--help')
    expect(code).toBe(0)
    expect(out).toContain(`Usage: slipway ${command}`)
  })
})

describe('completion', () => {
  it('knows the commands', async () => {
    const { slipway } = await setUp()
    const { out } = await slipway('completion', 'bash')
    expect(out).toContain('claim')
    const checked = spawn('bash', ['-n'], { stdio: ['pipe', 'ignore', 'pipe'] })
    checked.stdin.end(out)
    expect(await new Promise((resolve) => checked.on('close', resolve))).toBe(0)
  })
})

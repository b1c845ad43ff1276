import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openWorkspace, startServer, type Workspace } from '../../sdk/src/running-server.factory.ts'
import { report } from '../../server/src/feedback/feedback.factory.ts'
import { createWorkOrder, createWorkOrders } from '../../server/src/work-orders/work-order.factory.ts'
import type { Member } from '../../server/test/harness.ts'

const BIN = path.resolve(import.meta.dirname, '../bin/slipway.mjs')

let ws: Workspace
let baseUrl: string
beforeAll(async () => {
  ws = await openWorkspace()
  baseUrl = (await startServer(ws)).baseUrl
})
afterAll(() => ws.close())

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'slipway-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Ran {
  code: number | null
  out: string
  err: string
}

/** Runs the program as people do. */
async function run(args: string[], env: Record<string, string>, input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH!, ...env } })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

async function setUp() {
  const project = await ws.project()
  const home = await temporaryFolder()
  const env = { SLIPWAY_URL: baseUrl, SLIPWAY_KEY: project.admin.key, XDG_CONFIG_HOME: home }
  const slipway = (...args: string[]) => run(args, env)
  const json = async (...args: string[]) => {
    const { code, out, err } = await slipway('--json', ...args)
    expect(err).toBe('')
    expect(code).toBe(0)
    return JSON.parse(out)
  }
  return { project, api: project.admin.api, home, env, slipway, json }
}

describe('signing in', () => {
  it('checks the key and keeps it where only this user can read it', async () => {
    const { project, home } = await setUp()
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
    const table = (await slipway('wo', 'list')).out
    expect(table).toMatch(/^NUMBER\s+STATUS\s+PRIORITY\s+ASSIGNEE\s+TITLE\n\d+\s+ready\s+high\s+–\s+Round once/)
    expect((await run(['wo', 'comment', `${number}`], env, 'From standard input.')).code).toBe(0)
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
  ])('%o', async (args, code, says) => {
    const { slipway } = await setUp()
    const ran = await slipway(...args)
    expect(ran.code).toBe(code)
    expect(ran.err).toMatch(says)
  })

  it('a server that is not there', async () => {
    const { env } = await setUp()
    const ran = await run(['wo', 'list'], { ...env, SLIPWAY_URL: 'http://127.0.0.1:9' })
    expect(ran.code).toBe(6)
  })
})

describe('documents as files', () => {
  const CONTENT = '---\ntitle: theirs\n---\n\n# Gift wrapping\r\n\nPaper, *ribbon* \nno newline at the end'

  async function pulled(members?: Member) {
    const all = await setUp()
    const { api } = members ?? all.project.admin
    const parent = (await api.post('/requirements', { title: 'Gifts / more', document_type: 'OVERVIEW' })).body.data
    const { body } = await api.post('/requirements', {
      title: 'Gift: wrapping',
      document_type: 'OVERVIEW',
      parent_id: parent.id,
      markdown_content: CONTENT,
    })
    const folder = await temporaryFolder()
    const { code, err } = await all.slipway('docs', 'pull', folder)
    expect(err).toBe('')
    expect(code).toBe(0)
    const file = path.join(folder, 'requirements/overview/gifts-more/gift-wrapping.md')
    const read = () => readFile(file, 'utf8')
    const server = async () => (await api.get(`/requirements/${body.data.id}`)).body.data
    return { ...all, folder, id: body.data.id as string, file, read, server }
  }

  it('come with the tree as folders, and go back without a changed byte', async () => {
    const { slipway, folder, id, read, server } = await pulled()
    const file = await read()
    expect(file.endsWith(`\n---\n${CONTENT}`)).toBe(true)
    expect(file).toContain(`id: ${id}`)
    expect((await slipway('docs', 'status', folder)).out).toBe('Nothing changed.\n')
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 0 documents.\n')
    expect((await server()).version_number).toBe(1)
    expect((await slipway('docs', 'pull', folder)).out).toBe('Pulled 0 documents.\n')
    expect(await read()).toBe(file)
  })

  it('are pushed when they changed, and created when they are new', async () => {
    const { api, slipway, json, folder, file, read, server } = await pulled()
    await writeFile(file, (await read()).replace('ribbon', 'string').replace('Gift: wrapping', 'Wrapping'))
    await writeFile(path.join(path.dirname(file), 'cards.md'), '# Greeting cards\n\nOne for each gift.\n')
    expect(await json('docs', 'status', folder)).toMatchObject([{ local: 'new' }, { local: 'changed' }])
    expect((await slipway('docs', 'diff', folder)).out).toContain('+Paper, *string*')
    expect((await slipway('docs', 'push', folder)).out).toBe('Pushed 2 documents.\n')
    expect(await server()).toMatchObject({
      title: 'Wrapping',
      markdown_content: CONTENT.replace('ribbon', 'string'),
    })
    const { items } = (await api.get('/requirements?title=Greeting')).body
    expect(items).toMatchObject([{ title: 'Greeting cards', parent_id: (await server()).parent_id }])
    expect((await slipway('docs', 'status', folder)).out).toBe('Nothing changed.\n')
  })

  it('are left alone where both sides changed', async () => {
    const { api, slipway, folder, id, file, read, server } = await pulled()
    await api.patch(`/requirements/${id}`, { markdown_content: 'Theirs.\n' })
    await writeFile(file, (await read()).replace('ribbon', 'string'))
    expect((await slipway('docs', 'status', folder)).out).toContain('conflict: requirements/overview/gifts-more/')
    for (const direction of ['pull', 'push']) {
      const { code, err } = await slipway('docs', direction, folder)
      expect(code).toBe(5)
      expect(err).toContain('gift-wrapping.md')
    }
    expect((await server()).markdown_content).toBe('Theirs.\n')
    expect(await read()).toContain('string')
  })

  it('are proposed with --suggest', async () => {
    const { slipway, folder, file, read, server, id, api } = await pulled()
    await writeFile(file, (await read()).replace('*ribbon*', '*string*'))
    expect((await slipway('docs', 'push', folder, '--suggest')).out).toBe('Proposed 1 document.\n')
    const { items } = (await api.get(`/requirements/${id}/suggestions`)).body
    expect(items.length).toBeGreaterThan(0)
    expect((await server()).markdown_content).toContain('{')
    expect((await slipway('docs', 'status', folder)).out).toBe('Nothing changed.\n')
  })

  it('disappear when they were deleted on the server', async () => {
    const { api, slipway, folder, id, read } = await pulled()
    await api.delete(`/requirements/${id}`)
    expect((await slipway('docs', 'pull', folder)).code).toBe(0)
    await expect(read()).rejects.toThrow('ENOENT')
  })

  it('of another server are not mixed in', async () => {
    const { env, folder } = await pulled()
    const ran = await run(['docs', 'status', folder], {
      ...env,
      SLIPWAY_URL: baseUrl.replace('127.0.0.1', 'localhost'),
    })
    expect(ran.code).toBe(5)
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
    const { id, size_bytes } = await json('artifacts', 'upload', file)
    expect(size_bytes).toBe(bytes.length)
    expect((await slipway('artifacts', 'list')).out).toContain('bytes.bin')
    const copy = path.join(home, 'copy.bin')
    expect((await slipway('artifacts', 'download', id, '--out', copy)).code).toBe(0)
    expect(await readFile(copy)).toEqual(bytes)
    expect((await slipway('artifacts', 'download', id, '--out', copy)).code).toBe(5)

    expect((await slipway('automations', 'enable', 'feedback triage')).out).toBe('"Feedback triage" is enabled.\n')
    expect((await slipway('automations', 'get', 'Feedback triage')).out).toContain('feedback_submitted')
    expect((await slipway('conversations')).out).toBe('Nothing found.\n')
    expect((await json('users'))[0].email).toContain('@')
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
    expect((await slipway('docs', 'list', '--kind', 'blueprints')).out).toContain('Returns')
    expect((await slipway('docs', 'delete', id)).code).toBe(0)
    expect((await slipway('docs', 'get', id)).code).toBe(4)
  })
})

describe('completion', () => {
  it('knows the commands', async () => {
    const { slipway } = await setUp()
    const { out } = await slipway('completion', '--shell', 'bash')
    expect(out).toContain('claim')
    const checked = spawn('bash', ['-n'], { stdio: ['pipe', 'ignore', 'pipe'] })
    checked.stdin.end(out)
    expect(await new Promise((resolve) => checked.on('close', resolve))).toBe(0)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptedModel } from '../../server/src/product/conversations/scripted-model.factory.ts'
import { eventually } from '../../server/test/harness.ts'
import {
  createClient,
  items,
  type KeyClient,
  NoAnswerError,
  NotFoundError,
  PreconditionFailedError,
  pages,
  Slipway,
  SlipwayError,
  UnauthorizedError,
  type UploadProgress,
  ValidationError,
} from './index.ts'
import { clientOfPerson, openWorkspace, startServer, type Workspace } from './running-server.factory.ts'

let workspace: Workspace
let baseUrl: string
let apiKey: string
let client: KeyClient
beforeAll(async () => {
  workspace = await openWorkspace()
  const server = await startServer(workspace)
  baseUrl = server.baseUrl
  apiKey = server.project.admin.key
  client = server.client
})
afterAll(() => workspace.close())

let requests = 0
async function createWorkOrders(on: KeyClient, titles: string[]) {
  const operations = titles.map((title, index) => ({
    operation_id: `op-${index}`,
    operation_type: 'CreateWorkOrder',
    patch: { title },
  }))
  const made = await on.workOrders.batchCreate({ request_id: `sdk-${++requests}`, operations })
  expect(made.status).toBe('Succeeded')
  return made
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('It should have been refused.'),
    (err: unknown) => err as SlipwayError,
  )

describe('a client with a key', () => {
  test('writes, reads back with an entity tag, and refuses to overwrite what changed', async () => {
    await createWorkOrders(client, ['Round the total once'])
    const { items: found } = await client.workOrders.list({ title: ['Round the total'], sort: undefined })
    const { data, meta } = await client.workOrders.get(found[0]!.id)
    expect(data.title).toBe('Round the total once')
    const change = (ifMatch: string) =>
      client.workOrders.setDescription(data.id, { markdown_content: `Once ${ifMatch}` }, { ifMatch })
    const changed = await change(meta.etag!)
    expect(changed.meta.etag).not.toBe(meta.etag)
    const err = await failureOf(change(meta.etag!))
    expect(err).toBeInstanceOf(SlipwayError)
    expect(err).toBeInstanceOf(PreconditionFailedError)
    expect(err).toMatchObject({ status: 412, code: 'precondition_failed', currentEtag: changed.meta.etag })
    expect((await client.workOrders.delete(data.id)).meta.status).toBe(204)
  })

  test('says what is wrong with a request, and under which id it was logged', async () => {
    const err = await failureOf(client.workOrders.list({ page_size: 1_000 }))
    expect(err).toMatchObject({ status: 422, code: 'invalid_request', errors: [{ pointer: '/page_size' }] })
    expect(err.requestId).toMatch(/^[0-9a-f-]{36}$/)
    const stranger = new Slipway({ baseUrl, apiKey: 'sofa-ext-nothing' })
    expect(await failureOf(stranger.users.list())).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  test('throws an error of its own class for each status', async () => {
    const nobody = new Slipway({ baseUrl, apiKey: 'sofa-ext-nothing' })
    const nowhere = new Slipway({ baseUrl: 'http://127.0.0.1:1', apiKey, retries: 0 })
    const cases: [() => Promise<unknown>, typeof SlipwayError][] = [
      [() => client.workOrders.get('019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'), NotFoundError],
      [() => client.workOrders.list({ page_size: 1_000 }), ValidationError],
      [() => nobody.users.list(), UnauthorizedError],
      [() => nowhere.users.list(), NoAnswerError],
    ]
    for (const [ask, kind] of cases) {
      const err = await failureOf(ask())
      expect(err).toBeInstanceOf(SlipwayError)
      expect(err).toBeInstanceOf(kind)
      expect(err.name).toBe(kind.name)
    }
  })

  test('says that an answer is not of Slipway, and waits as long as a proxy says', async () => {
    const answers = [
      new Response('Busy.', { status: 503, headers: { 'retry-after': new Date(Date.now() + 2_000).toUTCString() } }),
      new Response('<html>Sign in', { headers: { 'content-type': 'text/html' } }),
    ]
    const proxied = new Slipway({ baseUrl, apiKey, fetch: async () => answers.shift()! })
    const began = Date.now()
    const err = await failureOf(proxied.users.list())
    expect(err).toBeInstanceOf(SlipwayError)
    expect(err).toMatchObject({ status: 200, code: 'unexpected_answer', detail: expect.stringContaining('not JSON') })
    expect(Date.now() - began).toBeGreaterThan(900)
  })

  test('says why a file cannot be read', async () => {
    const torn = new ReadableStream<Uint8Array>({
      pull() {
        throw new Error('The disk is gone.')
      },
    })
    await expect(client.artifacts.create({ file: torn, name: 'torn.bin' })).rejects.toThrow('The disk is gone.')
  })

  test('tells how much of a file was sent, and stops when it is told to', async () => {
    const file = new Blob([new Uint8Array(3_000_000)])
    const seen: UploadProgress[] = []
    const made = await client.artifacts.create(
      { file, name: 'large.bin' },
      { onProgress: (progress) => void seen.push(progress) },
    )
    expect(made.data.size_bytes).toBe(file.size)
    expect(seen.length).toBeGreaterThan(1)
    expect(seen.at(-1)).toEqual({ sentBytes: file.size, totalBytes: file.size })

    const stop = new AbortController()
    let left = 1_000
    let isCancelled = false
    const long = new ReadableStream<Uint8Array>({
      pull: (to) => (left-- > 0 ? to.enqueue(new Uint8Array(64_000)) : to.close()),
      cancel: () => {
        isCancelled = true
      },
    })
    const onProgress = ({ sentBytes }: UploadProgress) => {
      if (sentBytes > 1_000_000) stop.abort(new Error('Enough.'))
    }
    const sending = client.artifacts.create({ file: long, name: 'long.bin' }, { signal: stop.signal, onProgress })
    await expect(sending).rejects.toThrow('Enough.')
    await eventually(() => isCancelled)
    expect(left).toBeGreaterThan(900)
  })

  test('reads lists page by page and item by item', async () => {
    await createWorkOrders(client, ['Page 1', 'Page 2', 'Page 3', 'Page 4', 'Page 5'])
    const sizes: number[] = []
    for await (const page of pages(client.workOrders.list, { title: ['Page'], page_size: 2 }))
      sizes.push(page.items.length)
    expect(sizes).toEqual([2, 2, 1])
    const titles: string[] = []
    for await (const one of items(client.workOrders.list, { title: ['Page'], sort: 'number' })) titles.push(one.title)
    expect(titles).toEqual(['Page 1', 'Page 2', 'Page 3', 'Page 4', 'Page 5'])
    for await (const _ of items(client.conversations.list)) expect.unreachable('There are none.')
  })

  test('uploads blobs and streams, and downloads them whole or in part', async () => {
    const blob = new Blob(['Harbor'], { type: 'text/plain' })
    const made = await client.artifacts.create({ file: blob, name: 'harbor.txt' })
    expect(made.data).toMatchObject({ name: 'harbor.txt', type: 'file' })
    const { response } = await client.artifacts.download(made.data.id)
    expect(await response.text()).toBe('Harbor')
    const part = await client.artifacts.download(made.data.id, { range: 'bytes=1-3' })
    expect([part.meta.status, await part.response.text()]).toEqual([206, 'arb'])
    const stream = new Blob(['streamed']).stream() as ReadableStream<Uint8Array>
    const sent = await client.artifacts.create({
      file: stream,
      name: 'a "quoted" name.bin',
      content_type: 'text/x-log',
    })
    expect(sent.data.name).toBe('a "quoted" name.bin')
    expect(await (await client.artifacts.download(sent.data.id)).response.text()).toBe('streamed')
    const folder = await client.artifacts.create({ type: 'folder', name: 'Research' })
    expect(folder.data.type).toBe('folder')
  })
})

describe('a client with a session', () => {
  test('signs in, acts in a project, and gives addresses that a browser can open', async () => {
    const { person, client: own } = await clientOfPerson(workspace)
    const { data } = await own.session.get()
    expect(data.projects).toEqual([{ id: person.projectId, name: expect.any(String), role: 'editor' }])
    await createWorkOrders(own, ['By a person'])
    expect((await own.workOrders.list()).items[0]!.title).toBe('By a person')
    const { data: file } = await own.artifacts.create({ file: new Blob(['x']), name: 'x.txt' })
    const opened = await fetch(own.artifacts.contentUrl(file.id), { headers: { cookie: person.cookie } })
    expect(await opened.text()).toBe('x')
    expect((await own.session.signOut()).meta.status).toBe(204)
    expect(await failureOf(own.workOrders.list())).toMatchObject({ status: 401, code: 'not_signed_in' })
  })

  test('talks to the agent and follows what it says', async () => {
    const model = await scriptedModel()
    model.script({ text: 'Nobody but you.' })
    const { client: own } = await clientOfPerson(workspace, model)
    const { data } = await own.conversations.start({ message: 'Who is here?' })
    const said: string[] = []
    let isActive: boolean | undefined
    for await (const event of own.conversations.follow(data.id)) {
      if (event.event === 'message') said.push(event.data.text)
      if (event.event === 'end') isActive = event.data.is_active
    }
    expect(said).toEqual(['Who is here?', 'Nobody but you.'])
    expect(isActive).toBe(false)
  })
})

describe('a request that fails', () => {
  /** Answers from a list instead of the network, and passes the rest on. */
  function flaky(...answers: (Response | Error)[]) {
    const sent: Request[] = []
    const send: typeof fetch = async (url, init) => {
      sent.push(new Request(url as string, { ...init, signal: null } as RequestInit))
      const next = answers.shift()
      if (next instanceof Error) {
        // The server has done the work, and the answer is lost.
        if (next.message === 'lost') await (await fetch(url, init)).text()
        throw next
      }
      return next ?? fetch(url, init)
    }
    return { sent, client: createClient({ baseUrl, apiKey, fetch: send }) }
  }
  const busy = (retryAfter: string) =>
    new Response(JSON.stringify({ status: 503, code: 'busy', detail: 'Busy.' }), {
      status: 503,
      headers: { 'retry-after': retryAfter },
    })

  test('is sent again, and a lost write is not done twice', async () => {
    const { client: unlucky, sent } = flaky(new TypeError('lost'))
    const made = await unlucky.requirements.create({ document_type: 'FEATURE', title: 'Once only' })
    expect(made.meta.isReplayed).toBe(true)
    const keys = sent.map((one) => one.headers.get('idempotency-key'))
    expect(keys).toEqual([expect.any(String), keys[0]])
    const { total } = await client.requirements.list({ title: 'Once only' })
    expect(total).toBe(1)
  })

  test('waits as long as the server asks, and not longer than a caller would', async () => {
    const { client: unlucky, sent } = flaky(busy('0'), busy('0'))
    expect((await unlucky.users.list()).total).toBe(1)
    expect(sent).toHaveLength(3)
    const late = flaky(busy('600'))
    expect(await failureOf(late.client.users.list())).toMatchObject({ status: 503, retryAfter: 600 })
    expect(late.sent).toHaveLength(1)
  })

  test('is given up after some attempts, and at once if it might be done twice', async () => {
    const down = () => new TypeError('fetch failed')
    const reading = flaky(down(), down(), down())
    expect(await failureOf(reading.client.users.list())).toMatchObject({ status: 0, code: 'network_error' })
    expect(reading.sent).toHaveLength(3)
    const id = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
    const changing = flaky(down())
    await failureOf(changing.client.requirements.rename(id, { title: 'New' }))
    expect(changing.sent).toHaveLength(1)
    const conditional = flaky(down())
    await failureOf(conditional.client.workOrders.delete(id, { ifMatch: '"x"' }))
    expect(conditional.sent).toHaveLength(1)
  })

  test('counts as done if a lost attempt has deleted the thing', async () => {
    const { data } = await client.artifacts.create({ type: 'folder', name: 'Short-lived' })
    const { client: unlucky } = flaky(new TypeError('lost'))
    expect((await unlucky.artifacts.delete(data.id)).meta.status).toBe(204)
  })

  test('ends with its signal or its deadline', async () => {
    const send: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)))
    const silent = createClient({ baseUrl, apiKey, fetch: send })
    const stop = new AbortController()
    const stopped = failureOf(silent.users.list({}, { signal: stop.signal }))
    stop.abort()
    expect((await stopped).name).toBe('AbortError')
    expect(await failureOf(silent.users.list({}, { timeoutMs: 5, retries: 0 }))).toMatchObject({ code: 'timeout' })
  })
})

describe('following changes', () => {
  test('shows what others change, resumes after a broken connection, and repeats nothing', async () => {
    const { person, client: own } = await clientOfPerson(workspace)
    const { client: stranger } = await clientOfPerson(workspace)
    const stop = new AbortController()
    const states: string[] = []
    const kinds: string[] = []
    const following = (async () => {
      const onState = (state: string) => states.push(state)
      for await (const event of own.changes.follow({ signal: stop.signal, onState }))
        if (event.event === 'change') kinds.push(`${event.data.kind} by ${event.data.actor.name}`)
    })()
    await eventually(() => states.includes('open'))
    await createWorkOrders(stranger, ['Elsewhere'])
    await createWorkOrders(own, ['One'])
    await eventually(() => kinds.length === 1)
    person.node.server.closeAllConnections()
    await createWorkOrders(own, ['Two'])
    await eventually(() => kinds.length === 2)
    expect(kinds).toEqual(['work_order.created by Talker', 'work_order.created by Talker'])
    expect(states.slice(0, 3)).toEqual(['open', 'waiting', 'open'])
    stop.abort()
    await following
  })

  test('ends with the refusal of the server', async () => {
    const { person } = await clientOfPerson(workspace)
    const { id } = await workspace.project()
    const { origin } = new URL(person.url)
    const other = createClient({ baseUrl: origin, projectId: id, headers: { cookie: person.cookie } })
    expect(await failureOf(other.changes.follow().next())).toMatchObject({ status: 404, code: 'not_found' })
  })
})

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Client, eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { startWorker } from '../../kernel/jobs/jobs.ts'
import { settingsWith } from '../conversations/turns/agent.factory.ts'
import { delivering, type Times } from './delivery/deliver.ts'
import { DELIVER } from './webhook.ts'

export interface Message {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

interface Reply {
  status?: number
  headers?: Record<string, string>
  text?: string
  /** Answers once this resolves. */
  after?: Promise<unknown>
}

/** A receiver of webhooks on loopback, which answers as told. */
export async function receiver(reply: (message: Message, count: number) => Reply = () => ({})) {
  const messages: Message[] = []
  const http = createServer(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    const message = { path: req.url!, headers: req.headers, text, body: JSON.parse(text) }
    const { status = 204, headers = {}, text: answer, after } = reply(message, messages.push(message))
    await after
    res.writeHead(status, headers).end(answer)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/hook`
  return { url, messages, kinds: () => messages.map(({ body }) => body.type as string) }
}

export const settings = (env: NodeJS.ProcessEnv = {}) =>
  settingsWith({
    env: { WEBHOOK_PRIVATE_HOSTS: 'on', ...env },
    secretKey: () => Promise.resolve('k'.repeat(40)),
  })

/** A worker that only delivers webhooks. */
export const startDelivering = ({ deps, sql }: Workspace, times: Partial<Times> = {}) =>
  startWorker({ ...deps, sql, wiring: { ...deps.wiring, jobs: new Map([[DELIVER, delivering(times)]]) } })

/** Every test has its own database: a node delivers for all projects of one. */
export async function setUp(env: NodeJS.ProcessEnv = {}) {
  const ws = await openWorkspace({ settings: settings(env) })
  onTestFinished(ws.close)
  const project = await ws.project()
  const node = (times: Partial<Times> = {}) => {
    const started = startDelivering(ws, times)
    onTestFinished(() => started.stop(500))
    return started
  }
  return { ws, project, api: project.admin.api, node }
}

export async function addWebhook(api: Client, url: string, more: object = {}) {
  const { status, body } = await api.post('/webhooks', { name: 'Board', url, ...more })
  if (status !== 201) throw new Error(`POST /webhooks answered ${status}: ${JSON.stringify(body)}`)
  return {
    id: body.data.webhook.id as string,
    secret: body.data.secret as string,
    path: `/webhooks/${body.data.webhook.id}`,
  }
}

/** The worker has to start first, and looks for retries every 2 seconds. */
export const soon = <T>(check: Parameters<typeof eventually<T>>[0]) => eventually(check, 30_000)

import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { json, signedIn } from '../conversations/person.factory.ts'
import { type Asked, type ScriptedModel, scriptedModel } from '../conversations/scripted-model.factory.ts'
import { settingsWith } from '../conversations/turns/agent.factory.ts'
import { addIntegration } from '../integrations/index.ts'
import { createAutomation, runsOf, startNode, startRun } from './automation.factory.ts'
import { executeRun } from './dispatcher/execute.ts'

const RELAY = `
  const lines = require('node:readline').createInterface({ input: process.stdin })
  lines.on('line', async (body) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream',
      authorization: 'Bearer ' + process.env.INTEGRATION_TOKEN }
    const answer = await fetch(process.argv[1], { method: 'POST', headers, body })
    const text = await answer.text()
    if (text) console.log(text)
  })`

const secretKey = () => Promise.resolve('k'.repeat(40))

async function open(model: ScriptedModel, env: NodeJS.ProcessEnv = {}) {
  const settings = settingsWith({ model: model.settings(), env: { MCP_PRIVATE_HOSTS: 'on', ...env }, secretKey })
  const ws = await openWorkspace({ settings })
  onTestFinished(ws.close)
  await ws.app.listen({ port: 0, host: '127.0.0.1' })
  const node = startNode(ws, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) })
  onTestFinished(() => node.stop(0))
  return { ws, port: (ws.app.server.address() as AddressInfo).port }
}

type Project = Awaited<ReturnType<Workspace['project']>>

/** Runs an automation that may only look, with an integration that has the key of its owner. */
async function runWith(
  { operator, admin }: Project,
  where: { url: string } | { commandName: string },
  key = admin.key,
) {
  const { id } = await addIntegration(operator, admin.userId, { displayName: 'Own', ...where, token: key })
  const kit = { permission_overrides: [{ domain: 'work_orders', restriction: 'cannot_create' }] }
  const made = await createAutomation(admin.api, { tool_kit: kit, approval: 'required', integration_grants: [id] })
  await startRun(admin.api, made.id)
  return eventually(async () => {
    const [run] = await runsOf(admin.api, made.id)
    return run?.completed_at && run
  })
}

const creates = (asked: Asked) => {
  const tool = asked.tools!.find(({ function: one }) => one.name.startsWith('Own__create_work_order'))
  return tool ? { calls: [{ name: tool.function.name, input: { title: 'Escaped' } }] } : { text: 'No such tool.' }
}

/** A proxy in front of the server. One that rewrites passes on only what a protocol needs. */
async function proxyTo(port: () => number, rewrites: boolean): Promise<number> {
  const proxy = createServer((req, res) => {
    const { authorization, accept, 'content-type': type } = req.headers
    const headers = rewrites ? { authorization, accept, 'content-type': type } : req.headers
    const sent = request({ port: port(), host: '127.0.0.1', path: req.url, method: 'POST', headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(res)
    })
    req.pipe(sent)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return (proxy.address() as AddressInfo).port
}

it('an integration does not lead an agent back to its own server, by whatever address', async () => {
  const model = await scriptedModel()
  model.script(creates, { text: 'Done.' })
  const { ws, port } = await open(model)
  const urls = [
    `http://127.0.0.1:${port}/mcp`,
    `http://localhost:${port}/mcp`,
    `http://127.0.0.1:${port}/mcp/read`,
    `http://127.0.0.1:${await proxyTo(() => port, false)}/mcp`,
    `http://127.0.0.1:${await proxyTo(() => port, true)}/mcp`,
  ]
  for (const url of urls) {
    const project = await ws.project()
    const run = await runWith(project, { url })
    expect(run, url).toMatchObject({ status: 'failed', error: expect.stringContaining('must not lead back') })
    expect((await project.admin.api.get('/work_orders')).body.total).toBe(0)
  }
})

it('nor does a program that relays what it is told', async () => {
  const model = await scriptedModel()
  model.script(creates, { text: 'Done.' })
  let port = 0
  const proxy = await proxyTo(() => port, true)
  const commands = { relay: [process.execPath, '-e', RELAY, `http://127.0.0.1:${proxy}/mcp`] }
  const opened = await open(model, { MCP_STDIO_COMMANDS: JSON.stringify(commands) })
  const { ws } = opened
  port = opened.port
  const project = await ws.project()
  const run = await runWith(project, { commandName: 'relay' })
  expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('must not lead back') })
  expect((await project.admin.api.get('/work_orders')).body.total).toBe(0)
})

it('nor does an address of the API start something', async () => {
  const model = await scriptedModel()
  model.script({ text: 'Done.' })
  const { ws, port } = await open(model)
  const project = await ws.project()
  const other = await createAutomation(project.admin.api, { name: 'Other' })
  await runWith(project, { url: `http://127.0.0.1:${port}/v2/external-api/automations/${other.id}/runs` })
  expect(await runsOf(project.admin.api, other.id)).toEqual([])
})

it('a person is told so when they connect it', async () => {
  const model = await scriptedModel()
  const { ws } = await open(model)
  const person = await signedIn(ws, model, { env: { MCP_PRIVATE_HOSTS: 'on' }, secretKey })
  const url = new URL('/mcp', person.url).href
  const { key } = (await ws.project()).admin
  const answer = await person.call('POST', '/integrations', { display_name: 'Own', url, token: key })
  expect(answer.status).toBe(409)
  expect((await json(answer)).detail).toContain('must not lead back')
})

it('the server of another installation is like any other', async () => {
  const model = await scriptedModel()
  model.script(creates, { text: 'Done.' })
  const elsewhere = await open(model)
  const there = await elsewhere.ws.project()
  const { ws } = await open(model)
  const project = await ws.project()
  const url = `http://127.0.0.1:${elsewhere.port}/mcp`
  const { id } = await addIntegration(project.operator, project.admin.userId, {
    displayName: 'Own',
    url,
    token: there.admin.key,
  })
  const made = await createAutomation(project.admin.api, { integration_grants: [id] })
  await startRun(project.admin.api, made.id)
  await eventually(async () => (await runsOf(project.admin.api, made.id))[0]?.status === 'succeeded')
  expect((await there.admin.api.get('/work_orders')).body.items).toMatchObject([{ title: 'Escaped' }])
})

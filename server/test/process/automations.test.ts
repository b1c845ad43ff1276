import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, type TestContext, test } from 'vitest'
import { eventually } from '../harness.ts'
import { dataFolder, knownKeys, openPool, type RunningServer, startServer } from './running-server.ts'

/** Starts a model server that never responds. */
async function silentModel(onTestFinished: TestContext['onTestFinished']) {
  let asked = 0
  const server = createServer((_req, res) => {
    asked++
    res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { asked: () => asked, env: { ...knownKeys, MODEL_BASE_URL: url, MODEL_NAME: 'silent' } }
}

async function startTwoRuns(server: RunningServer): Promise<string> {
  const api = server.client()
  const values = { name: 'Report', user_prompt: 'Summarise.', triggers: [] }
  const { id } = (await api.post('/automations', values)).body.data
  for (let index = 0; index < 2; index++) expect((await api.post(`/automations/${id}/runs`, {})).status).toBe(201)
  return `/automations/${id}/runs`
}

const runsAt = async (server: RunningServer, path: string) => (await server.client().get(path)).body.items

describe.concurrent('a server with a run in progress', () => {
  test('fails the run when it stops, and waiting runs continue at the next start', async ({ onTestFinished }) => {
    const model = await silentModel(onTestFinished)
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: model.env })
    const path = await startTwoRuns(server)
    await eventually(() => model.asked() === 1)
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })

    const next = await startServer({ dataDir, env: model.env })
    const [second, first] = await eventually(async () => {
      const runs = await runsAt(next, path)
      return runs[0].status === 'running' && runs
    })
    expect([first.status, second.status]).toEqual(['failed', 'running'])
    expect(first.error).toContain('The server was stopped')
  })

  test('leaves the run to the next server when it is killed', async ({ onTestFinished }) => {
    const model = await silentModel(onTestFinished)
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: model.env })
    const path = await startTwoRuns(server)
    await eventually(() => model.asked() === 1)
    process.kill(server.pid, 'SIGKILL')
    await server.exited

    const next = await startServer({ dataDir, env: model.env })
    const pool = openPool(dataDir)
    onTestFinished(() => pool.end())
    expect((await runsAt(next, path)).map((run: { status: string }) => run.status)).toEqual(['scheduled', 'running'])
    // The lease would expire by itself. Waiting for that is not part of this test.
    await pool.query(`update automation_runs set leased_until = now() where status = 'running'`)
    const [second, first] = await eventually(async () => {
      const runs = await runsAt(next, path)
      return runs[0].status === 'running' && runs
    }, 30_000)
    expect([first.status, second.status]).toEqual(['failed', 'running'])
    expect(first.error).toContain('stopped answering')
    expect(first.conversation_id).not.toBeNull()
  })
})

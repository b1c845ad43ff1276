import { expect, test } from 'vitest'
import { type Reply, scriptedModel } from '../../src/product/conversations/scripted-model.factory.ts'
import { eventually } from '../harness.ts'
import { dataFolder, knownKeys, openPool, startServer } from './running-server.ts'

const create = (title: string) => ({ name: 'create_work_order', input: { title } })

test('a server that is killed while it undoes or accepts does nothing twice and loses nothing', async () => {
  const model = await scriptedModel()
  const env = { ...knownKeys, MODEL_BASE_URL: model.url, MODEL_NAME: 'scripted' }
  const dataDir = dataFolder()
  let server = await startServer({ dataDir, env })
  const api = () => server.client()
  const pool = openPool(dataDir)
  const { id } = (await api().post('/automations', { name: 'Maker', user_prompt: 'Make.', triggers: [] })).body.data
  const run = async (calls: ReturnType<typeof create>[], body: object) => {
    model.script({ calls } as Reply, { text: 'Done.' })
    const { data } = (await api().post(`/automations/${id}/runs`, body)).body
    const path = `/automations/${id}/runs/${data.id}`
    await eventually(async () => (await api().get(path)).body.data.completed_at !== null, 30_000)
    return path
  }
  const titles = async (): Promise<string[]> =>
    (await api().get('/work_orders')).body.items.map((one: { title: string }) => one.title)
  /** Holds a row, so that a request waits in the middle; then kills the server and starts another. */
  const killDuring = async (holding: string, request: () => Promise<unknown>, isWaiting: string) => {
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query(holding)
    const asked = request().catch(() => undefined)
    await eventually(async () => (await pool.query(isWaiting)).rows.length > 0)
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    await asked
    await holder.query('rollback')
    holder.release()
    server = await startServer({ dataDir, env })
    // The person would have to wait for a minute.
    await pool.query('update automation_runs set reviewed_until = now()')
  }

  const done = await run(['A', 'B', 'C'].map(create), {})
  await killDuring(
    `select 1 from work_orders where title = 'B' for update`,
    () => api().post(`${done}/undo`),
    `select 1 from agent_deeds where status = 'undone'`,
  )
  expect(await titles()).toEqual(['A', 'B'])
  const { undone, kept } = (await api().post(`${done}/undo`)).body.data
  expect([undone.length, kept, await titles()]).toEqual([2, [], []])

  const proposed = await run([create('Once')], { dry_run: true })
  const [write] = (await api().get(proposed)).body.data.writes
  const accept = () => api().post(`${proposed}/writes/${write.id}/accept`)
  await killDuring(
    `select 1 from counters where name = 'work_order' for update`,
    accept,
    `select 1 from agent_deeds where status = 'begun'`,
  )
  expect([await titles(), (await api().get(proposed)).body.data.writes[0].status]).toEqual([[], 'begun'])
  expect((await accept()).body.data.writes[0].status).toBe('accepted')
  expect(await titles()).toEqual(['Once'])
  await pool.end()
}, 180_000)

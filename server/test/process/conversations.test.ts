import { expect, onTestFinished, test } from 'vitest'
import { startModel } from '../../src/product/conversations/scripted-model.factory.ts'
import { eventually } from '../harness.ts'
import { dataFolder, openPool, startServer } from './running-server.ts'

const PERSON = { email: 'ada@harbor.example', password: 'a long enough pass phrase' }

test('an answer goes on after kill -9: what was said stays, and what was made is not made again', async () => {
  const model = await startModel()
  onTestFinished(model.close)
  const dataDir = dataFolder()
  const env = {
    BOOTSTRAP_EMAIL: PERSON.email,
    BOOTSTRAP_PASSWORD: PERSON.password,
    MODEL_BASE_URL: model.url,
    MODEL_NAME: 'scripted',
    MODEL_API_KEY: 'sk-test-of-the-model',
  }
  model.script(
    { text: 'I make it.', calls: [{ name: 'create_work_order', input: { title: 'Paint the hull' } }] },
    { silent: true, after: 'Half of ' },
    { text: 'It is made.' },
  )
  const server = await startServer({ dataDir, env })
  const { call } = await signIn(server.url)
  const { id } = (await call('POST', '/agent_conversations', { message: 'Make a work order.' })).data
  await eventually(() => model.asked.length === 2)
  process.kill(server.pid, 'SIGKILL')
  await server.exited

  const next = await startServer({ dataDir, env })
  const pool = openPool(dataDir)
  onTestFinished(() => pool.end())
  // As if the lease of the server that was killed had ended by now.
  await pool.query("update conversations set turn_seen_at = now() - interval '40 seconds' where turn_id is not null")
  const again = await signIn(next.url)
  const entries = await eventually(async () => {
    const { data } = await again.call('GET', `/agent_conversations/${id}/transcript`)
    return data.entries.at(-1)?.is_final && data.entries.at(-1).role === 'assistant' && data.entries
  }, 30_000)
  const said = entries.filter(({ role }: { role: string }) => role === 'assistant')
  expect(said.map(({ text }: { text: string }) => text)).toEqual(['I make it.', 'It is made.'])
  const made = await pool.query("select 1 from work_orders where title = 'Paint the hull'")
  expect([made.rowCount, model.asked.length]).toEqual([1, 3])
})

async function signIn(origin: string) {
  const url = `${origin}/v2/app-api`
  const json = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/session`, { method: 'POST', headers: json, body: JSON.stringify(PERSON) })
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const projects = await (await fetch(`${url}/session`, { headers: { cookie } })).json()
  const projectId = projects.data.projects[0].id
  // biome-ignore lint/suspicious/noExplicitAny: the answers have different shapes
  const call = async (method: string, path: string, body?: unknown): Promise<any> =>
    (
      await fetch(`${url}${path}`, {
        method,
        headers: { cookie, 'x-project-id': projectId, ...(body !== undefined && json) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    ).json()
  return { call }
}

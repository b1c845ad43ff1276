import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { DEFAULT_SETTINGS, sliceSettingsFrom } from '../../../kernel/settings.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { feedbackProject, submitItem } from '../feedback.factory.ts'
import { triageItem } from './engine.ts'

/** Knows three subjects in any wording, as a good model does. */
const SUBJECTS = [/parcel|delivery|paczk|przesyłk/i, /screen|display|ekran/i, /price|cost|cena/i]

let ws: Workspace
let server: Server
let asked: { key: string | undefined; model: string; input: string[] }[] = []
let isAway = false
beforeAll(async () => {
  ws = await openWorkspace()
  server = createServer((req, res) => {
    let body = ''
    req.on('data', (part) => {
      body += part
    })
    req.on('end', () => {
      if (isAway || req.url !== '/v1/embeddings') return res.writeHead(503).end()
      const { model, input } = JSON.parse(body)
      asked.push({ key: req.headers.authorization, model, input })
      const data = input.map((text: string, index: number) => {
        const embedding = SUBJECTS.map((subject) => (subject.test(text) ? 1 : 0.01))
        return { object: 'embedding', index, embedding: [...embedding, 0.3] }
      })
      res
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ object: 'list', model, data: data.reverse() }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  vi.useRealTimers()
  await ws.close()
  await new Promise((resolve) => server.close(resolve))
})

function depsWith(model: string | undefined): JobDeps {
  const { port } = server.address() as AddressInfo
  const env = {
    EMBEDDINGS_BASE_URL: `http://127.0.0.1:${port}/v1/`,
    EMBEDDINGS_API_KEY: 'secret',
    EMBEDDINGS_MODEL: model,
  }
  const of = sliceSettingsFrom(model === undefined ? {} : env)
  return { ...ws.deps, wiring: { ...ws.deps.wiring, settings: { ...DEFAULT_SETTINGS, of } } }
}

async function setUp() {
  asked = []
  isAway = false
  const { project, api, reporter } = await feedbackProject(ws)
  const triage = async (deps: JobDeps, text: string) => {
    const { id } = await submitItem(api, reporter, text)
    const request = { projectId: project.id, itemId: id, ownerId: project.admin.userId, runId: uuidv7() }
    return (await triageItem(deps, request)).changes[0]!.resourceId
  }
  const encoders = async () => {
    const rows = await ws.sql`select encoder from triage_readings where project_id = ${project.id} order by encoder`
    return rows.map((row) => row.encoder.split(' ').at(-1))
  }
  return { project, triage, encoders }
}

describe('an embeddings server', () => {
  it('replaces the built-in encoder, in every language', async () => {
    const { triage, encoders } = await setUp()
    const deps = depsWith('good')
    const english = await triage(deps, 'My parcel is nowhere to be found')
    const polish = await triage(deps, 'Moja paczka zaginęła w drodze')
    const other = await triage(deps, 'The display of the scale is scratched')
    expect(polish).toBe(english)
    expect(other).not.toBe(english)
    expect(await encoders()).toEqual(['good', 'good', 'good'])
    expect(asked.at(-1)).toMatchObject({ key: 'Bearer secret', model: 'good' })
  })

  it('that is switched off leaves everything to the built-in encoder again', async () => {
    const { triage, encoders } = await setUp()
    const first = await triage(depsWith('good'), 'The price of the yearly plan is too high')
    const second = await triage(depsWith(undefined), 'the yearly plan: price too high')
    expect(second).toBe(first)
    expect(await encoders()).toEqual(['built-in', 'built-in'])
  })

  it('that is away is replaced by the built-in encoder, and reads again when it is back, in batches', async () => {
    const { triage, encoders } = await setUp()
    const deps = depsWith('better')
    isAway = true
    for (let i = 0; i < 3; i++) await triage(deps, `The delivery of order ${i} was refused by the neighbour`)
    expect(await encoders()).toEqual(['built-in', 'built-in', 'built-in'])
    isAway = false
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    await triage(deps, 'The display is scratched')
    expect(await encoders()).toEqual(['better', 'better', 'better', 'better'])
    expect(asked.filter((one) => one.input.some((text) => text.includes('order 1')))).toHaveLength(1)
    expect(asked.at(-1)!.input).toHaveLength(3)
  })

  it.each([
    [{ EMBEDDINGS_BASE_URL: 'http://localhost:11434/v1' }, 'EMBEDDINGS_MODEL'],
    [{ EMBEDDINGS_BASE_URL: 'nowhere', EMBEDDINGS_MODEL: 'm' }, 'EMBEDDINGS_BASE_URL'],
    [{ EMBEDDINGS_MODEL: 'm' }, 'EMBEDDINGS_BASE_URL'],
  ])('is refused when it is configured as %j', async (env, name) => {
    const { feedbackSettings } = await import('../settings.ts')
    expect(() => sliceSettingsFrom(env)(feedbackSettings)).toThrow(name)
  })
})

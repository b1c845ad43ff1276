import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'

let ws: Workspace
let api: Awaited<ReturnType<Workspace['project']>>['admin']['api']
let path: string
let versions: string[]

const LONG = 'The hull is dry. '.repeat(2_000)

beforeAll(async () => {
  ws = await openWorkspace()
  api = (await (await ws.project()).join('editor')).api
  const { body } = await api.post('/blueprints', { title: 'Hull', markdown_content: `Needle\n\n${LONG}` })
  path = `/blueprints/${body.data.id}`
  await api.patch(path, { markdown_content: `Needle\n\nAfloat.\n\n${LONG}` })
  versions = (await api.get(`${path}/versions`)).body.items.map((one: { version_id: string }) => one.version_id)
})
afterAll(() => ws.close())

/** How often a request reads the text of a document or of a version. */
async function textsReadBy(run: () => Promise<{ status: number }>): Promise<number> {
  let count = 0
  ws.sql.onStatement = (statement) => {
    if (/^\s*select\b[\s\S]*\bmarkdown_content\b/.test(statement)) count++
  }
  const { status } = await run()
  ws.sql.onStatement = undefined
  expect(status).toBeLessThan(300)
  return count
}

describe('a long text', () => {
  test('is not read for what does not show it', async () => {
    expect(await textsReadBy(() => api.get(`${path}/versions`))).toBe(0)
    expect(await textsReadBy(() => api.get(`${path}/suggestions`))).toBe(0)
    expect(await textsReadBy(() => api.get(`${path}/comments`))).toBe(0)
    expect(await textsReadBy(() => api.post(`${path}/comments`, { message: 'Who did this?' }))).toBe(0)
  })

  test('is read once for each version that is shown or compared', async () => {
    expect(await textsReadBy(() => api.get(`${path}/versions/${versions[0]}`))).toBe(1)
    expect(await textsReadBy(() => api.get(`${path}/versions/${versions[1]}/diff/${versions[0]}`))).toBe(2)
  })

  test('is read twice for a suggestion: before the thread reads it, and to write the result', async () => {
    const suggestion = { old_text: 'Needle', new_text: 'Thread' }
    expect(await textsReadBy(() => api.post(`${path}/apply_suggestion`, suggestion))).toBe(2)
    const [change] = (await api.get(`${path}/suggestions`)).body.items
    expect(await textsReadBy(() => api.post(`${path}/suggestions/${change.id}/accept`))).toBeLessThanOrEqual(3)
  })
})

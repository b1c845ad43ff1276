import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { slices } from '../../../app.ts'
import { unavailable } from '../../errors.ts'
import type { Slice } from '../../slice.ts'

const SEARCHED = 'salary of Ada'
const failing: Slice = {
  name: 'failing',
  externalApi(face) {
    face.get('/test_refused', async () => {
      throw unavailable('search_timeout', `The search for "${SEARCHED}" took longer than 2 s and was given up.`)
    })
    face.get('/test_statement', async (req) => req.ctx.db`select ${SEARCHED}::text::int`)
    face.get('/test_parser', async () => JSON.parse(SEARCHED))
    face.get('/test_defect', async () => {
      throw new RangeError('The index is 7.')
    })
  },
}

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace({ slices: [...slices, failing] })
})
afterAll(() => ws.close())

test('the log names the fault and its place, and nothing that a person wrote', async () => {
  const lines: string[] = []
  const node = await ws.node({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  const { key } = (await ws.project()).admin
  const get = (path: string) => node.inject({ url: `/v2/external-api${path}`, headers: { 'x-api-key': key } })
  const answers = [await get('/test_refused'), await get('/test_statement'), await get('/test_parser')]
  expect(answers.map((one) => one.statusCode)).toEqual([503, 500, 500])
  expect(answers[0]!.json().detail).toContain(SEARCHED)
  const log = lines.join('')
  expect(log).not.toMatch(/salary|Ada/)
  expect(log).toContain('"code":"search_timeout"')
  expect(log).toContain('"code":"22P02"')
  expect(log).toContain('logged-errors.test.ts')
  await get('/test_defect')
  expect(lines.join('')).toContain('The index is 7.')
})

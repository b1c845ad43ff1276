import { mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../harness.ts'
import { dataFolder, externalKey, knownKeys, openPool, type RunningServer, startServer } from './running-server.ts'

const ROWS = 10_000
const FINISH_WITHIN_MS = 10_000
const IMPORT_WITHIN_MS = 40_000

describe.concurrent('an import of many rows', () => {
  test('goes on after a server that was stopped in the middle starts again, and makes nothing twice', async () => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: knownKeys })
    const id = await startImport(server, dataDir)
    const toldAtMs = Date.now()
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(Date.now() - toldAtMs).toBeLessThan(FINISH_WITHIN_MS + 8_000)

    const next = await startServer({ dataDir, env: knownKeys })
    const found = async () => (await next.client().get('/work_orders?page_size=1')).body.total
    expect(await found()).toBeLessThan(ROWS)
    const imported = await eventually(async () => {
      const { data } = (await next.client().get(`/imports/${id}`)).body
      return (data.state === 'done' || data.state === 'failed') && data
    }, IMPORT_WITHIN_MS)
    expect(imported).toMatchObject({ state: 'done', error: null })
    expect(imported.counts.created + imported.counts.skipped).toBe(ROWS)
    expect(await found()).toBe(ROWS)
  })

  test('leaves no temporary file when the server is killed', async () => {
    const dataDir = dataFolder()
    const temporary = join(dataDir, 'tmp')
    mkdirSync(temporary)
    const server = await startServer({ dataDir, env: { ...knownKeys, TMPDIR: temporary } })
    const before = readdirSync(temporary)
    await startImport(server, dataDir)
    if (process.platform === 'linux') expect(openFilesOf(server).some((file) => file.startsWith(temporary))).toBe(true)
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    expect(readdirSync(temporary)).toEqual(before)
  })
})

/** Returns the id of an import that has begun to write and is far from its end. */
async function startImport(server: RunningServer, dataDir: string): Promise<string> {
  const rows = Array.from({ length: ROWS }, (_, index) => `IM-${index},Row ${index}`)
  const form = new FormData()
  form.append('file', new Blob([`Key,Title\n${rows.join('\n')}\n`]), 'rows.csv')
  const url = `${server.url}/v2/external-api/imports/work_orders`
  const sent = await fetch(url, { method: 'POST', headers: { 'x-api-key': externalKey }, body: form })
  expect(sent.status).toBe(202)
  const { data } = (await sent.json()) as { data: { id: string } }
  const pool = openPool(dataDir)
  await eventually(async () => (await pool.query('select from work_orders limit 1')).rowCount)
  await pool.end()
  return data.id
}

const openFilesOf = ({ pid }: RunningServer) =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      // It was closed in between.
      return []
    }
  })

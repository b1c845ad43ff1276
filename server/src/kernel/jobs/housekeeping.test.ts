import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createFolderStore, newKey } from '../storage/index.ts'
import { startWorker } from './jobs.ts'

let folder: string
let ws: Workspace
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'slipway-sweep-'))
  ws = await openWorkspace({ store: createFolderStore({ folder, bucket: 'slipway', installationId: randomUUID() }) })
})
afterAll(async () => {
  await ws.close()
  await rm(folder, { recursive: true, force: true })
})

test('a cleanup that was due while no server ran happens at the next start', async () => {
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 3_600_000)
  const left = ['artifacts', 'feedback'].map((place) => newKey(ws.store, place, randomUUID()))
  for (const key of left) {
    await ws.store.write(key, Readable.from([Buffer.from('x')]))
    await utimes(path.join(folder, key), twoDaysAgo, twoDaysAgo)
  }
  const unfinished = path.join(folder, '.unfinished')
  const half = path.join(unfinished, randomUUID())
  await mkdir(unfinished, { recursive: true })
  await writeFile(half, 'half')
  await utimes(half, twoDaysAgo, twoDaysAgo)
  await ws.sql`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    select name, ${twoDaysAgo.toISOString()}::timestamptz, ${twoDaysAgo.toISOString()}::timestamptz
    from unnest(${[...ws.deps.wiring.jobs.keys()]}::text[]) as jobs (name)`

  const worker = startWorker({ ...ws.deps, sql: ws.sql })
  await eventually(async () => {
    const found = await Promise.all(left.map((key) => ws.store.stat(key)))
    return found.every((one) => one === undefined) && (await readdir(unfinished)).length === 0
  })
  await worker.stop(10_000)
  // Jobs of the minute may have become due meanwhile.
  const daily = [...ws.deps.wiring.jobs].flatMap(([name, { catchUp }]) => (catchUp ? [name] : []))
  expect(daily).toContain('remove_unfinished_uploads')
  const queued = await ws.sql`select 1 from graphile_worker.jobs where task_identifier = any(${daily}::text[])`
  expect(queued).toHaveLength(0)
})

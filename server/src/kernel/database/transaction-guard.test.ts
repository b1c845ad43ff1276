import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/harness.ts'
import { forgetWaitingTransactions } from '../../../test/transaction-watch.ts'
import { createFolderStore } from '../storage/index.ts'
import { inThreads } from '../threads/threads.ts'
import { connect, inSavepoint, inTransaction, type Sql } from './index.ts'

let db: Sql
beforeAll(async () => {
  db = connect(await cloneDatabase(), { max: 1 })
})
afterAll(() => db.end())

const threads = inThreads<typeof import('../../product/documents/markdown-worker.ts')>(
  new URL('../../product/documents/markdown-worker.js', import.meta.url),
)
const read = () => threads.run('project', 'view', { source: 'text', show: 'accepted' }, { deadlineMs: 20_000 })
const store = async () =>
  createFolderStore({
    folder: await mkdtemp(path.join(tmpdir(), 'slipway-guard-')),
    bucket: 'slipway',
    installationId: 'test',
  })

const waits: [string, () => Promise<unknown>][] = [
  ['a thread', read],
  ['the store', async () => (await store()).stat('some/key')],
]

test.for(waits)('tests fail a transaction that waits for %s', async ([what, wait]) => {
  await expect(inTransaction({ db }, wait)).rejects.toThrow(`must not wait for ${what}`)
  await expect(inTransaction({ db }, (ctx) => inSavepoint(ctx, wait))).rejects.toThrow(`must not wait for ${what}`)
  expect(forgetWaitingTransactions()).toHaveLength(2)
  await wait()
})

test('work that a transaction starts can wait for a thread after the transaction ends', async () => {
  let later: Promise<unknown> | undefined
  let end: (() => void) | undefined
  await inTransaction({ db }, async () => {
    later = new Promise<void>((resolve) => {
      end = resolve
    }).then(read)
  })
  end?.()
  expect(await later).toBe('text')
})

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig } from '../../config.ts'
import { AppError } from '../errors.ts'
import { createFolderStore, createS3Store, newKey, openStore, removeUnclaimed, type Store } from './index.ts'
import { openS3, openUnfinishedUploads, type S3Server } from './s3.factory.ts'

let folder: string
let s3: S3Server
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'slipway-store-'))
  s3 = await openS3()
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const installationId = randomUUID()
const KINDS: [string, () => Store][] = [
  ['a folder', () => createFolderStore({ folder, bucket: 'slipway', installationId })],
  ['S3', () => s3.store],
]
const bytesOf = async (stream: Readable | undefined) => {
  const pieces: Buffer[] = []
  for await (const piece of stream!) pieces.push(piece)
  return Buffer.concat(pieces)
}
const keysIn = async (store: Store, prefix: string) => {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.sort()
}
const from = (...pieces: (Buffer | string)[]) =>
  Readable.from(
    pieces.map((piece) => Buffer.from(piece)),
    { objectMode: false },
  )
const anyKey = () => `test/${randomUUID()}/${randomUUID()}`

const tomorrow = () => new Date(Date.now() + 24 * 3_600_000)

describe.each(KINDS)('a store in %s', (_title, open) => {
  test('returns what was written, completely or as a range', async () => {
    const store = open()
    const content = randomBytes(300_000)
    const key = anyKey()
    const written = await store.write(key, from(content.subarray(0, 100_001), content.subarray(100_001)))
    expect(written).toEqual({ size: 300_000, sha256: createHash('sha256').update(content).digest('hex') })
    expect((await bytesOf(await store.read(key))).equals(content)).toBe(true)
    for (const [start, end] of [
      [0, 1],
      [5, 99_999],
      [299_999, 299_999],
    ] as const)
      expect((await bytesOf(await store.read(key, { start, end }))).equals(content.subarray(start, end + 1))).toBe(true)
  })

  test('returns size and time, and undefined for missing keys', async () => {
    const store = open()
    const key = anyKey()
    await store.write(key, from('12345'))
    const found = await store.stat(key)
    expect(found).toMatchObject({ key, size: 5 })
    expect(Math.abs(Date.now() - found!.modifiedAt.getTime())).toBeLessThan(60_000)
    const missing = anyKey()
    expect([await store.stat(missing), await store.read(missing)]).toEqual([undefined, undefined])
    expect([await store.stat('test'), await store.read('test')]).toEqual([undefined, undefined])
  })

  test('stores empty files', async () => {
    const store = open()
    const key = anyKey()
    expect((await store.write(key, from())).size).toBe(0)
    expect(await store.stat(key)).toMatchObject({ size: 0 })
  })

  test('stores files larger than any buffer', async () => {
    const store = open()
    const piece = randomBytes(1024 * 1024)
    const hash = createHash('sha256')
    async function* pieces() {
      for (let i = 0; i < 17; i++) {
        hash.update(piece)
        yield piece
      }
    }
    const key = anyKey()
    const written = await store.write(key, Readable.from(pieces(), { objectMode: false }))
    expect(written).toEqual({ size: 17 * 1024 * 1024, sha256: hash.digest('hex') })
    expect((await store.stat(key))!.size).toBe(17 * 1024 * 1024)
  })

  test.each([10, 12 * 1024 * 1024])('stores nothing if the source fails after %i bytes', async (size) => {
    const store = open()
    const key = anyKey()
    const refusal = new AppError(413, 'too_large', 'Too large.')
    async function* broken() {
      yield Buffer.alloc(size)
      expect(await store.stat(key)).toBeUndefined()
      throw refusal
    }
    await expect(store.write(key, Readable.from(broken(), { objectMode: false }))).rejects.toBe(refusal)
    expect(await store.stat(key)).toBeUndefined()
    const cut = from('x')
    cut.destroy()
    await expect(store.write(key, cut)).rejects.toThrow()
    expect(await store.stat(key)).toBeUndefined()
  })

  test('lists by prefix across pages and removes many keys', async () => {
    const store = open()
    const prefix = `list-${randomUUID()}`
    const keys = Array.from({ length: 25 }, (_, i) => `${prefix}/${i % 3}/${i}`)
    for (const key of keys) await store.write(key, from(key))
    expect(await keysIn(store, `${prefix}/`)).toEqual([...keys].sort())
    expect(await keysIn(store, `${prefix}/1/`)).toEqual(keys.filter((key) => key.startsWith(`${prefix}/1/`)).sort())
    expect(await keysIn(store, `${prefix}/1/1`)).toEqual(keys.filter((key) => key.startsWith(`${prefix}/1/1`)).sort())
    expect(await keysIn(store, `${prefix}-none/`)).toEqual([])
    await store.remove([...keys.slice(1), anyKey()])
    expect(await keysIn(store, `${prefix}/`)).toEqual([keys[0]])
  })

  test.each(['', '/', 'a//b', '../a', 'a/../b', 'a/./b', '.hidden', 'a/.b', 'a b', 'ä', 'a/', '/a', 'x'.repeat(513)])(
    'takes no key like %j',
    async (key) => {
      const store = open()
      await expect(store.write(key, from('x'))).rejects.toThrow('not a valid storage key')
      await expect(store.read(key)).rejects.toThrow('not a valid storage key')
      await expect(store.stat(key)).rejects.toThrow('not a valid storage key')
      await expect(store.remove([key])).rejects.toThrow('not a valid storage key')
    },
  )

  test('loses old files that no row references in a sweep', async () => {
    const store = open()
    const [owned, left] = [newKey(store, 'sweep', randomUUID()), newKey(store, 'sweep', randomUUID())]
    for (const key of [owned, left]) await store.write(key, from('x'))
    const owners = async (keys: string[]) => keys.filter((key) => key === owned)
    expect(await removeUnclaimed(store, 'sweep', owners)).toBe(0)
    expect(await removeUnclaimed(store, 'sweep', owners, tomorrow())).toBe(1)
    expect(await keysIn(store, `${store.installationId}/sweep/`)).toEqual([owned])
  })

  test('keeps foreign keys and files of other installations in a sweep', async () => {
    const store = open()
    const [own, project, id] = [store.installationId, randomUUID(), randomUUID()]
    const kept = [
      `feedback-archive/${project}/${id}`,
      `feedback/${project}/${id}`,
      newKey({ installationId: randomUUID() }, 'feedback', project),
      `${own}/feedback-archive/${project}/${id}`,
      `${own}/feedback/${project}/${id}.txt`,
      `${own}/feedback/notes/${id}`,
      `${own}/feedback/${project}/${id}/more`,
    ]
    for (const key of kept) await store.write(key, from('x'))
    expect(await removeUnclaimed(store, 'feedback', async () => [], tomorrow())).toBe(0)
    for (const key of kept) expect(await store.stat(key)).toBeDefined()
  })
})

describe('a store in a folder', () => {
  test('is private and contains nothing but its keys', async () => {
    const own = path.join(folder, 'own')
    const store = createFolderStore({ folder: own, bucket: 'slipway', installationId })
    await store.write('a/b/c', from('x'))
    expect((await stat(path.join(own, 'a/b/c'))).mode & 0o777).toBe(0o600)
    expect((await stat(path.join(own, 'a/b'))).mode & 0o777).toBe(0o700)
    expect((await readdir(own)).sort()).toEqual(['.unfinished', 'a'])
    expect(await readdir(path.join(own, '.unfinished'))).toEqual([])
  })

  test('removes unfinished files of a crash only once they are old', async () => {
    const own = path.join(folder, 'crashed')
    const store = createFolderStore({ folder: own, bucket: 'slipway', installationId })
    await mkdir(path.join(own, '.unfinished'), { recursive: true })
    const names = { old: randomUUID(), recent: randomUUID(), strange: 'notes.txt' }
    const fileOf = (name: string) => path.join(own, '.unfinished', name)
    for (const name of Object.values(names)) await writeFile(fileOf(name), 'half')
    const yesterday = new Date(Date.now() - 25 * 3_600_000)
    for (const name of [names.old, names.strange]) await utimes(fileOf(name), yesterday, yesterday)
    expect(await keysIn(store, '')).toEqual([])
    await store.removeUnfinished(new Date(Date.now() - 24 * 3_600_000))
    expect((await readdir(path.join(own, '.unfinished'))).sort()).toEqual([names.recent, names.strange].sort())
  })
})

describe('a store in S3', () => {
  test('aborts only old unfinished uploads of its own, page by page', async () => {
    const [yesterday, now] = [new Date(Date.now() - 25 * 3_600_000), new Date()]
    const own = () => newKey({ installationId }, 'artifacts', randomUUID())
    const recent = { key: own(), initiated: now }
    const kept = [
      recent,
      { key: newKey({ installationId: randomUUID() }, 'artifacts', randomUUID()), initiated: yesterday },
      { key: `${installationId}/backup.tar`, initiated: yesterday },
      { key: `artifacts/${randomUUID()}/${randomUUID()}`, initiated: yesterday },
    ]
    const abandoned = Array.from({ length: 5 }, () => ({ key: own(), initiated: yesterday }))
    const server = await openUnfinishedUploads([...kept, ...abandoned])
    onTestFinished(server.close)
    const store = createS3Store({ ...s3.options, endpoint: server.endpoint, installationId })
    await store.removeUnfinished(new Date(Date.now() - 24 * 3_600_000))
    expect(server.keys()).toEqual(kept.map((one) => one.key).sort())
  })

  test('ignores unfinished uploads if the server cannot list them', async () => {
    // s3rver responds NotImplemented.
    await expect(s3.store.removeUnfinished(new Date())).resolves.toBeUndefined()
  })
})

describe('a full disk', () => {
  const storageFull = { status: 507, code: 'storage_full' }

  test('accepts no file below the free space limit, and accepts files again afterwards', async () => {
    const own = path.join(folder, 'floor')
    const full = createFolderStore({
      folder: own,
      bucket: 'slipway',
      installationId,
      minFreeBytes: Number.MAX_SAFE_INTEGER,
    })
    await expect(full.write('a/b', from('x'))).rejects.toMatchObject(storageFull)
    expect(await full.stat('a/b')).toBeUndefined()
    const roomy = createFolderStore({ folder: own, bucket: 'slipway', installationId, minFreeBytes: 1 })
    expect((await roomy.write('a/b', from('x'))).size).toBe(1)
  })

  test('aborts a file that exceeds the free space and leaves nothing of it', async () => {
    const own = path.join(folder, 'filling')
    let free = 10 * 1024 * 1024
    const freeBytesOf = async () => {
      free -= 1024 * 1024
      return free
    }
    const store = createFolderStore({
      folder: own,
      bucket: 'slipway',
      installationId,
      minFreeBytes: 5 * 1024 * 1024,
      freeBytesOf,
    })
    const pieces = Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024))
    await expect(store.write('a/b', from(...pieces))).rejects.toMatchObject(storageFull)
    expect(await store.stat('a/b')).toBeUndefined()
    expect(await readdir(path.join(own, '.unfinished'))).toEqual([])
  })

  test.runIf(existsSync('/dev/full'))('is distinguished from an unavailable store', async () => {
    const full = await writeFile('/dev/full', 'x').catch((err: Error) => err)
    async function* failing() {
      yield Buffer.from('x')
      throw full
    }
    const store = createFolderStore({ folder: path.join(folder, 'full'), bucket: 'slipway', installationId })
    const bytes = Readable.from(failing(), { objectMode: false })
    await expect(store.write('a/b', bytes)).rejects.toMatchObject(storageFull)
  })
})

describe('an unavailable store', () => {
  test('is its own 503, not that of a lost database', async () => {
    const away = createS3Store({ ...s3.options, endpoint: 'http://127.0.0.1:1', installationId })
    const nowhere = createFolderStore({ folder: '/dev/null/none', bucket: 'slipway', installationId })
    for (const store of [away, nowhere])
      await expect(store.write(anyKey(), from('x'))).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' })
    await expect(away.read(anyKey())).rejects.toMatchObject({ status: 503, code: 'storage_unavailable' })
  })
})

describe('the configuration', () => {
  const wrong: [string, NodeJS.ProcessEnv][] = [
    ['an endpoint without a bucket', { S3_ENDPOINT: 'http://127.0.0.1:9000' }],
    ['half of the keys', { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'x' }],
    ['an endpoint that is no URL', { S3_BUCKET: 'b', S3_ENDPOINT: 'minio:9000' }],
    ['a bucket with a slash', { S3_BUCKET: 'a/b' }],
    ['a limit that is no number', { UPLOAD_LIMIT_BYTES: 'much' }],
    ['a proxy that is no address', { TRUST_PROXY: 'nginx' }],
  ]
  test.each(wrong)('with %s is refused', (_title, env) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
  })

  test('chooses the store', () => {
    expect(readConfig({})).toMatchObject({ s3: undefined, uploadLimitBytes: 104_857_600 })
    expect(openStore(readConfig({}), installationId).bucket).toBe('slipway')
    const env = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
    expect(readConfig(env).s3).toEqual({
      endpoint: undefined,
      bucket: 'files',
      region: 'us-east-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    })
    expect(openStore(readConfig(env), installationId).bucket).toBe('files')
  })
})

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEmbeddedPostgres } from '../../src/engines/embedded-postgres/index.ts'
import { clusterOf } from '../embedded-postgres/data-folder.ts'
import { eventually } from '../harness.ts'
import {
  admin,
  dataFolder,
  externalKey,
  failToStart,
  freePort,
  knownKeys,
  launchServer,
  postgresOf,
  printed,
  repository,
  START_WITHIN_MS,
  startServer,
  statusOf,
} from './running-server.ts'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const nobody = isRoot ? Number(execFileSync('id', ['-u', 'nobody'])) : 0
const everybodyReachesUs = isRoot && reachable(join(repository, 'server/dist/bundle/main.js'))

describe.skipIf(!everybodyReachesUs)('started as root (needs root on Linux, and a checkout that all may read)', () => {
  test('the server runs, writes and stops as the account of its database', async () => {
    const dataDir = dataFolder()
    chmodSync(dataDir, 0o755)
    // As left by a version that stayed root.
    mkdirSync(join(dataDir, 'files/artifacts'), { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, 'files/artifacts/old'), 'x', { mode: 0o600 })

    const server = await startServer({ dataDir, env: knownKeys })
    const { uid, gid } = statSync(clusterOf(dataDir))
    expect(uid).not.toBe(0)
    await eventually(() => server.stderr().includes('which all installations with a data folder of root share'))
    expect(identityOf(server.pid)).toEqual({ Uid: Array(4).fill(uid), Gid: Array(4).fill(gid), Groups: [gid] })

    const form = new FormData()
    form.append('file', new Blob(['content']), 'note.txt')
    const url = `${server.url}/v2/external-api/artifacts`
    const uploaded = await fetch(url, { method: 'POST', headers: { 'x-api-key': externalKey }, body: form })
    expect(uploaded.status).toBe(201)
    const integration = { project: 'My project', email: 'owner@slipway.local', name: 'T', url: 'https://a.example.org' }
    await printed(admin(dataDir, 'integration add', { ...integration, token: 'tk-sealed' }))
    for (const entry of ['files', 'secret-key', ...readdirSync(join(dataDir, 'files'), { recursive: true })])
      expect(ownerOf(dataDir, String(entry))).toBe(uid)

    process.kill(postgresOf(dataDir)!, 'SIGKILL')
    await eventually(() => server.stderr().includes('PostgreSQL is running again'), START_WITHIN_MS)
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(postgresOf(dataDir)).toBeUndefined()
  })

  test('the server runs as the owner of the data folder, who owns all that it writes', async () => {
    const dataDir = dataFolder()
    chownSync(dataDir, nobody, nobody)
    const server = await startServer({ dataDir, env: knownKeys })
    expect(identityOf(server.pid).Uid).toEqual(Array(4).fill(nobody))
    const entries = readdirSync(dataDir)
    expect(entries).toEqual(expect.arrayContaining(['files', 'postgres', 'secret-key']))
    for (const entry of entries) expect([entry, statSync(join(dataDir, entry)).uid]).toEqual([entry, nobody])
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(server.stderr()).not.toContain('all installations')
  })

  test('the server can listen on a privileged port', async () => {
    const dataDir = dataFolder()
    chmodSync(dataDir, 0o755)
    const port = await freeLowPort()
    const server = launchServer({ dataDir, env: { PORT: String(port) } })
    await eventually(() => server.stdout().includes('Slipway listens') || server.ended(), START_WITHIN_MS)
    expect(await statusOf(`http://127.0.0.1:${port}/livez`)).toBe(200)
    expect(identityOf(server.pid).Uid).not.toContain(0)
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  test('with DATABASE_URL the server runs as the owner of the data folder, not in the group of root', async () => {
    const port = await freePort()
    const settings = { listen_addresses: '127.0.0.1', port: String(port), fsync: 'off' }
    const postgres = await openEmbeddedPostgres({ dataDir: dataFolder(), as: 'server', log: () => undefined, settings })
    onTestFinished(() => postgres.stop())
    const dataDir = dataFolder()
    chownSync(dataDir, nobody, 0)
    const server = await startServer({ dataDir, env: { DATABASE_URL: `postgres://slipway@127.0.0.1:${port}/slipway` } })
    const { Uid, Gid, Groups } = identityOf(server.pid)
    expect(Uid).toEqual(Array(4).fill(nobody))
    expect([...Gid!, ...Groups!]).not.toContain(0)
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  test.each(['postgres.log', 'cluster.lock'])('the server follows no link in place of %s', async (name) => {
    const dataDir = dataFolder()
    chownSync(dataDir, nobody, nobody)
    mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 })
    chownSync(join(dataDir, 'postgres'), nobody, nobody)
    const target = join(dataFolder(), 'of-root')
    symlinkSync(target, join(dataDir, 'postgres', name))
    const { code, stderr } = await failToStart({ dataDir, env: { PORT: String(await freePort()) } })
    expect([code, existsSync(target)]).toEqual([1, false])
    expect(stderr).toContain(`"${join(dataDir, 'postgres', name)}" is a link`)
  })

  test('the server stays root and says why if the account cannot enter the data folder', async () => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir })
    expect(identityOf(server.pid).Uid).toEqual([0, 0, 0, 0])
    await eventually(() => server.stderr().includes('keeps running as root'))
    await eventually(() => server.stderr().includes(`cannot enter \\"${dataDir}\\"`))
  })
})

function identityOf(pid: number): Record<string, number[]> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')
  const numbers = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))!
      .split(/\s+/)
      .slice(1)
      .filter(Boolean)
      .map(Number)
  return { Uid: numbers('Uid'), Gid: numbers('Gid'), Groups: numbers('Groups') }
}

function ownerOf(dataDir: string, entry: string): number {
  const isTop = entry === 'files' || entry === 'secret-key'
  return statSync(join(dataDir, isTop ? '' : 'files', entry)).uid
}

async function freeLowPort(): Promise<number> {
  for (let port = 600; port < 1_024; port++) {
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
  throw new Error('No port below 1024 is free.')
}

function reachable(file: string): boolean {
  try {
    execFileSync('test', ['-r', file], { uid: nobody, gid: nobody, cwd: '/' })
    return true
  } catch {
    return false
  }
}

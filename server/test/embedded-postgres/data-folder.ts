import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from '../../src/engines/embedded-postgres/index.ts'
import { afterEachTest } from '../clean-up.ts'

const made: { root: string; dataDir: string }[] = []
const children: ChildProcess[] = []
const mounted = new Set<string>()
const opened: { stop(): Promise<void> }[] = []

afterEachTest(async () => {
  // Before PostgreSQL: a process that is still running would start it again.
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const database of opened.splice(0)) await database.stop()
  for (const { root, dataDir } of made.splice(0)) {
    const pid = postmasterPid(dataDir)
    if (pid && isPostmasterOf(dataDir, pid)) {
      const socketDir = readFileSync(pidFile(dataDir), 'utf8').split('\n')[4]
      process.kill(pid, 'SIGQUIT')
      await until(() => !isPostmasterOf(dataDir, pid))
      if (socketDir) rmSync(socketDir, { recursive: true, force: true })
    }
    if (mounted.delete(dataDir)) execFileSync('umount', [dataDir])
    rmSync(root, { recursive: true, force: true })
  }
})

/** Returns a data folder for one test. Ends whatever still runs in it afterwards. */
export function dataFolder(...below: string[]): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'embedded-'))
  return cleanUpAfter(root, join(root, ...below))
}

/** Returns a data folder on its own small disk. Requires root. */
export function dataDisk(options: string): string {
  const dataDir = dataFolder('disk')
  mkdirSync(dataDir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dataDir])
  mounted.add(dataDir)
  return dataDir
}

export function endAfterTest(child: ChildProcess): void {
  children.push(child)
}

export function cleanUpAfter(root: string, dataDir: string): string {
  made.push({ root, dataDir })
  return dataDir
}

export async function open(options: Partial<EmbeddedPostgresOptions> & { dataDir: string }) {
  const logged: string[] = []
  const database = await openEmbeddedPostgres({
    as: 'server',
    log: (line) => logged.push(line),
    ...options,
    settings: { fsync: 'off', ...options.settings },
  })
  opened.push(database)
  return { ...database, logged }
}

/** Runs one statement on its own connection. */
export async function query(connection: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

export function clusterOf(dataDir: string): string {
  return join(dataDir, 'postgres', 'cluster')
}

function pidFile(dataDir: string): string {
  return join(clusterOf(dataDir), 'postmaster.pid')
}

export function postmasterPid(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFile(dataDir), 'utf8'), 10)
  } catch {
    // It does not run, or has just ended.
    return undefined
  }
}

export function isPostmasterOf(dataDir: string, pid: number): boolean {
  if (process.platform !== 'linux') return isAlive(pid)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === clusterOf(dataDir)
  } catch {
    return false
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not come to pass in time.')
    await delay(10)
  }
}

import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chownTo, openToAppend } from './account.ts'
import { cannotRun, findRuntime } from './binaries.ts'
import { lockedElsewhere, openLockFile, withLock } from './cluster-lock.ts'
import { diskFailure, explainDiskErrors, lastLines, startFailure } from './failure.ts'
import type { Home } from './home.ts'
import { type Postmaster, runsOn } from './pid-file.ts'
import { programOptions, workingFolderPath } from './program.ts'
import { chooseSocketFolder, removeSocketFolder, socketPort } from './socket-folder.ts'

const maxLogBytes = 10_000_000
const fastStopMs = 10_000
const immediateStopMs = 5_000

const serverSettings = {
  listen_addresses: '',
  port: String(socketPort),
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  max_connections: '100',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  cluster_name: 'slipway',
}

/** A postmaster that this process started. It may or may not get as far as accepting connections. */
export interface Launch {
  /** Undefined while it runs. */
  exitCode: number | undefined
  runtime: string
  socketDir: string
  /** Removes its socket folder if the start failed. */
  discard(): Promise<void>
  /** Returns what it has logged since the start. */
  said(): Promise<string>
}

export async function launchPostmaster(home: Home, wantedSocketDir: string | undefined): Promise<Launch> {
  const runtime = await findRuntime(home)
  const { folder: socketDir, made } = await chooseSocketFolder(home, wantedSocketDir)
  const settings = { ...serverSettings, ...home.settings, unix_socket_directories: socketDir }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { log, size } = await openLog(home)
  const lock = await openLockFile(home)
  try {
    const postgres = spawn(
      ...withLock(join(runtime, 'bin', 'postgres'), ['-D', workingFolderPath(home.cluster), ...args]),
      {
        ...programOptions(home.cluster, home.account),
        // Runs in its own process group, so Ctrl-C in the terminal does not stop the database before the server is
        // done.
        detached: true,
        stdio: ['ignore', log.fd, log.fd, lock.fd],
      },
    )
    const launch: Launch = {
      exitCode: undefined,
      runtime,
      socketDir,
      discard: async () => {
        if (made) await removeSocketFolder(socketDir)
      },
      said: () => readLog(home, size),
    }
    postgres.once('exit', (code) => {
      launch.exitCode = code ?? -1
    })
    await new Promise<void>((resolve, reject) => {
      postgres.once('spawn', resolve)
      postgres.on('error', (err) => reject(cannotRun(runtime, err)))
    })
    postgres.unref()
    return launch
  } finally {
    await log.close()
    await lock.close()
  }
}

export async function launchFailure(home: Home, launch: Launch): Promise<Error> {
  if (launch.exitCode === 126 || launch.exitCode === 127) return cannotRun(launch.runtime, await launch.said())
  if (launch.exitCode === lockedElsewhere) {
    return startFailure(
      `The database in "${home.cluster}" is in use by a PostgreSQL that Slipway cannot reach: one in another container, or what is left of one that crashed. Stop it first, or set DATA_DIR to another folder.`,
    )
  }
  const said = await launch.said()
  return (
    (await diskFailure(home.folder, said)) ??
    startFailure(
      `The database in "${home.cluster}" could not be started. The end of "${home.logFile}" says:\n${lastLines(said)}`,
      said,
    )
  )
}

/**
 * Uses fast shutdown, which ends connections and flushes everything. Falls back to immediate shutdown after ten
 * seconds; the next start then recovers.
 */
export async function stopPostmaster(home: Home, postmaster: Postmaster): Promise<void> {
  signal(postmaster.pid, 'SIGINT')
  if (!(await isGone(home, postmaster.pid, fastStopMs))) {
    signal(postmaster.pid, 'SIGQUIT')
    if (!(await isGone(home, postmaster.pid, immediateStopMs))) {
      home.log(`PostgreSQL (process ${postmaster.pid}) does not stop. The next start will use it as it is.`)
      return
    }
  }
  await removeSocketFolder(postmaster.socketDir)
}

export async function readLog(home: Home, from = 0): Promise<string> {
  const handle = await open(home.logFile, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const start = Math.max(from, size - 20_000)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(size - start, 0)), { position: start })
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function openLog(home: Home) {
  return explainDiskErrors(home.folder, async () => {
    const old = await stat(home.logFile).catch(() => undefined)
    if (old && old.size > maxLogBytes) await rename(home.logFile, `${home.logFile}.1`)
    const log = await openToAppend(home.logFile)
    await chownTo(home.logFile, home.account)
    const { size } = await log.stat()
    return { log, size }
  })
}

async function isGone(home: Home, pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (await runsOn(home, pid)) {
    if (Date.now() > deadline) return false
    await delay(15)
  }
  return true
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Already gone.
  }
}

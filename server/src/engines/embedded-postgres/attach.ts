import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { lockedElsewhere } from './cluster-lock.ts'
import { errorCode, explainDiskErrors, lastLines, startFailure } from './failure.ts'
import type { Home } from './home.ts'
import {
  claimServer,
  claimUse,
  closeForLocks,
  connectForLocks,
  isConnectionLost,
  type LockClient,
  type Role,
  releaseAsLast,
} from './locks.ts'
import { findPostmaster, type Postmaster } from './pid-file.ts'
import { type Launch, launchFailure, launchPostmaster, readLog, stopPostmaster } from './postmaster.ts'

const startTimeoutMs = 60_000
const retryTransientForMs = 5_000
const stopTimeoutMs = 10_000
const pollMs = 10
const retryMs = 50

export interface Attachment {
  client: LockClient
  postmaster: Postmaster
}

/** Acquires the locks of this process in a running PostgreSQL. Starts one if none is running. */
export async function attach(
  home: Home,
  role: Role,
  options: { socketDir?: string; signal?: AbortSignal } = {},
): Promise<Attachment> {
  let deadline = Date.now() + startTimeoutMs
  let launch: Launch | undefined
  let firstLaunch = 0
  for (;;) {
    if (options.signal?.aborted) {
      // A postmaster that was launched here must reach a state in which it can be stopped.
      if (!launch || launch.exitCode !== undefined) options.signal.throwIfAborted()
      deadline = Math.min(deadline, Date.now() + stopTimeoutMs)
    }
    const postmaster = await findPostmaster(home)
    if (postmaster?.ready) {
      const client = await claim(home, postmaster, role)
      if (client) {
        if (launch?.socketDir !== postmaster.socketDir) await launch?.discard()
        return { client, postmaster }
      }
    } else if (!postmaster && launch?.exitCode !== undefined) {
      await launch.discard()
      if (!(await isTransient(launch, firstLaunch))) throw await launchFailure(home, launch)
      await delay(retryMs)
      launch = await launchPostmaster(home, options.socketDir)
    } else if (!postmaster && !launch) {
      firstLaunch = Date.now()
      launch = await launchPostmaster(home, options.socketDir)
    }
    if (Date.now() > deadline) throw await tooSlow(home)
    await delay(pollMs)
  }
}

/** Releases the locks and stops PostgreSQL if nobody else holds any. */
export async function detach(home: Home, attached: pg.Client | undefined): Promise<void> {
  const postmaster = await findPostmaster(home)
  const client = attached ?? (postmaster && (await connectForLocks(postmaster, 'guest')))
  try {
    if (client && postmaster && (await releaseAsLast(client))) await stopPostmaster(home, postmaster)
  } catch (err) {
    home.log(`PostgreSQL was not stopped: ${err instanceof Error ? err.message : err}`)
  } finally {
    if (client) await closeForLocks(client)
  }
}

/** Returns undefined if PostgreSQL is not available yet. */
async function claim(home: Home, postmaster: Postmaster, role: Role): Promise<LockClient | undefined> {
  const client = await connectForLocks(postmaster, role)
  if (!client) return undefined
  try {
    if ((await claimUse(client)) && (role === 'guest' || (await claimServer(client, home)))) {
      await ensureDatabase(client)
      return client
    }
    await closeForLocks(client)
    return undefined
  } catch (err) {
    if (isConnectionLost(err)) {
      await closeForLocks(client)
      return undefined
    }
    await detach(home, client)
    return explainDiskErrors(home.folder, () => Promise.reject(err))
  }
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_database where datname = 'slipway'`)
  if (rowCount) return
  await client.query('create database slipway').catch((err) => {
    // Two first starts ran concurrently.
    if (errorCode(err) !== '42P04' && errorCode(err) !== '23505') throw err
  })
}

/** True if another attempt may succeed: two concurrent starts, or backends that briefly outlive a killed postmaster. */
async function isTransient(launch: Launch, since: number): Promise<boolean> {
  if (Date.now() - since > retryTransientForMs) return false
  if (launch.exitCode === lockedElsewhere) return true
  return /lock file "[^"]*" (already exists|is empty)|is still in use/.test(await launch.said())
}

async function tooSlow(home: Home): Promise<Error> {
  return startFailure(
    `The database in "${home.cluster}" was not ready within ${startTimeoutMs / 1000} seconds. It may need longer to recover: start Slipway again in a while. The end of "${home.logFile}" says:\n${lastLines(await readLog(home))}`,
  )
}

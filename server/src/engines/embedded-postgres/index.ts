import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Account } from './account.ts'
import { type Attachment, attach, detach } from './attach.ts'
import { ensureCluster } from './cluster.ts'
import { isStartFailure, onDisk, startFailure } from './failure.ts'
import { type Home, prepareHome } from './home.ts'
import type { Role } from './locks.ts'
import { visibleSocketFolder } from './socket-folder.ts'

export { isStartFailure, startFailure }

const firstRetryMs = 100
const slowestRetryMs = 5_000

export interface EmbeddedPostgres {
  /** What a driver needs: the folder of the unix socket, the port, the role and the database. */
  connection: { host: string; port: number; user: string; database: string }
  /** Who PostgreSQL runs as when this process is root. */
  account: Account | undefined
  /** Resolves when closed; stops PostgreSQL unless another process still uses it. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /** A server claims the folder for itself; a guest (the admin command line) may use it beside a running server. */
  as: Role
  log: (message: string) => void
  /** Ends a start that is under way, and leaves nothing behind. */
  signal?: AbortSignal
  /** More settings of postgresql.conf, such as fsync=off in tests. */
  settings?: Record<string, string>
  /** Another folder with bin, lib and share than the installed package's. */
  nativeDir?: string
}

/** A PostgreSQL of our own in the data folder, shared by all Slipway processes on it: the first starts it, the last stops it. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await prepareHome(options)
  const attachment = await onDisk(home.folder, async () => {
    await ensureCluster(home, options.signal)
    return attach(home, options.as, options.signal && { signal: options.signal })
  })
  return supervise(home, options.as, attachment)
}

function supervise(home: Home, role: Role, first: Attachment): EmbeddedPostgres {
  const { socketDir, port } = first.postmaster
  const stopping = new AbortController()
  let client: pg.Client | undefined
  let recovery = Promise.resolve()
  let stopped: Promise<void> | undefined

  const watch = (attachment: Attachment) => {
    client = attachment.client
    client.once('end', () => {
      client = undefined
      if (!stopping.signal.aborted) recovery = recover()
    })
  }

  const recover = async () => {
    home.log('PostgreSQL ended unexpectedly. Starting it again.')
    for (let waitMs = firstRetryMs; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, slowestRetryMs)) {
      try {
        // The same socket folder, so that the drivers of this process find it again by themselves.
        watch(await attach(home, role, { socketDir, signal: stopping.signal }))
        return home.log('PostgreSQL runs again.')
      } catch (err) {
        if (stopping.signal.aborted) return
        home.log(`PostgreSQL could not be started again: ${err instanceof Error ? err.message : err}`)
        await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  const stop = async () => {
    stopping.abort()
    await recovery
    await detach(home, client)
  }

  watch(first)
  return {
    connection: { host: visibleSocketFolder(first.postmaster), port, user: 'slipway', database: 'slipway' },
    account: home.account,
    stop: () => (stopped ??= stop()),
  }
}

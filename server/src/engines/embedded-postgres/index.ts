import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from './account.ts'
import { type Attachment, attach, detach } from './attach.ts'
import { ensureCluster } from './cluster.ts'
import { explainDiskErrors, isStartFailure, startFailure } from './failure.ts'
import { type Home, prepareHome } from './home.ts'
import type { LockClient, Role } from './locks.ts'
import { visibleSocketFolder } from './socket-folder.ts'

export { isStartFailure, startFailure }

const firstRetryMs = 100
const maxRetryMs = 5_000

export interface EmbeddedPostgres {
  connection: { host: string; port: number; user: string; database: string }
  /** The account that PostgreSQL runs under if this process is root. */
  account: Account | undefined
  /** Stops PostgreSQL unless another process still uses it. */
  stop(): Promise<void>
  /** Why PostgreSQL could not be restarted, as long as it is down. */
  fault(): Error | undefined
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  /**
   * A server claims the folder exclusively. A guest, such as the admin command line, can share it with a running
   * server.
   */
  as: Role
  log: (message: string) => void
  /** Aborts a start in progress and cleans up after it. */
  signal?: AbortSignal
  /** Extra settings for postgresql.conf, such as fsync=off in tests. */
  settings?: Record<string, string>
  /** A folder with bin, lib and share to use instead of the installed package. */
  nativeDir?: string
}

/**
 * Opens the PostgreSQL in the data folder, which all Slipway processes on that folder share. The first process starts
 * it and the last one stops it.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await prepareHome(options)
  const attachment = await explainDiskErrors(home.folder, async () => {
    await ensureCluster(home, options.signal)
    return attach(home, options.as, options.signal && { signal: options.signal })
  })
  return supervise(home, options.as, attachment)
}

function supervise(home: Home, role: Role, first: Attachment): EmbeddedPostgres {
  const { socketDir, port } = first.postmaster
  const stopping = new AbortController()
  let client: LockClient | undefined
  let recovery = Promise.resolve()
  let stopped: Promise<void> | undefined
  let fault: Error | undefined

  const watch = (attachment: Attachment) => {
    client = attachment.client
    client.ended.then(() => {
      client = undefined
      if (!stopping.signal.aborted) recovery = recover()
    })
  }

  const recover = async () => {
    home.log('PostgreSQL stopped unexpectedly. Restarting it.')
    for (let waitMs = firstRetryMs; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      try {
        // Reuses the socket folder, so the drivers of this process reconnect without a new configuration.
        watch(await explainDiskErrors(home.folder, () => attach(home, role, { socketDir, signal: stopping.signal })))
        fault = undefined
        return home.log('PostgreSQL is running again.')
      } catch (err) {
        if (stopping.signal.aborted) return
        fault = err as Error
        home.log(`PostgreSQL could not be restarted: ${err instanceof Error ? err.message : err}`)
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
    fault: () => fault,
    stop: () => (stopped ??= stop()),
  }
}

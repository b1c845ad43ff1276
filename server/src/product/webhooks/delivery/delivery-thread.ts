import { parentPort, workerData } from 'node:worker_threads'
import { type Connection, connect } from '../../../kernel/database/index.ts'
import { exchangeCalls } from '../../../kernel/threads/calls.ts'
import { lowerPriority } from '../../../kernel/threads/priority.ts'
import { type NodeOptions, startDeliveryNode } from './delivery-node.ts'

/** What the thread needs of the main thread. */
export interface Host {
  disable(projectId: string, id: string, reason: string): Promise<void>
  log(level: 'info' | 'warn' | 'error', fields: object, message: string): void
}

export interface Thread {
  stop(finishWithinMs: number): Promise<void>
}

export interface ThreadData extends NodeOptions {
  where: string | Connection
}

const POOL_SIZE = 3

/** Runs in a thread; see `deliveries.ts`. Requests go first. */
lowerPriority()
const { where, ...options } = workerData as ThreadData
exchangeCalls<Host, Thread>(parentPort!, (host) => {
  const sql = connect(where, { max: POOL_SIZE, applicationName: 'slipway-webhooks' })
  // What a crash of the database forgets is queued or sent again, so nothing waits for the disk.
  sql.pool.on('connect', (client) => {
    client.query('set synchronous_commit = off').catch(() => undefined)
  })
  const tell = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    host.tell('log', level, fields, message)
  const log = { info: tell('info'), warn: tell('warn'), error: tell('error') } as never
  const disable: Host['disable'] = (...args) => host.ask('disable', ...args)
  const node = startDeliveryNode({ sql, log, disable }, options)
  return {
    async stop(finishWithinMs) {
      await node.stop(finishWithinMs)
      await sql.end()
    },
  }
})

import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { listen } from '../../../kernel/database/index.ts'
import type { Background, BackgroundDeps } from '../../../kernel/slice.ts'
import { exchangeCalls, type Peer } from '../../../kernel/threads/calls.ts'
import { bundledModule } from '../../../kernel/threads/threads.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import { disableFailing } from '../actions.ts'
import { hasEnabledWebhooks, WEBHOOKS_CHANNEL } from '../queries.ts'
import { webhookSettings } from '../settings.ts'
import { FAILING_ALLOWED_MS, RETRIES_MS } from './courier.ts'
import type { NodeOptions } from './delivery-node.ts'
import type { Host, Thread, ThreadData } from './delivery-thread.ts'

const LEASE_MS = 15_000
const RESTART_AFTER_MS = 1_000
const END_WITHIN_MS = 2_000

/**
 * Delivers webhooks in a thread of its own with connections of its own, so that requests do not wait for it. It starts
 * with the first webhook. `options` are overridden by tests only.
 */
export function startDeliveries({ db, wiring, log }: BackgroundDeps, options: Partial<NodeOptions> = {}): Background {
  let running: { thread: Peer<Thread>; worker: Worker } | undefined
  let isStopping = false
  let timer: NodeJS.Timeout | undefined

  async function disable(projectId: string, id: string, reason: string): Promise<void> {
    const project = await findProject(db, projectId)
    if (project) await disableFailing(operatorCtx({ db, wiring, log }, project), id, reason)
  }

  async function start(): Promise<void> {
    const { privateHosts } = wiring.settings.of(webhookSettings)
    const secretKey = await wiring.settings.secretKey()
    if (running || isStopping) return
    const defaults = { leaseMs: LEASE_MS, retriesMs: RETRIES_MS, failingAllowedMs: FAILING_ALLOWED_MS }
    const workerData: ThreadData = { where: db.where, secretKey, privateHosts, ...defaults, ...options }
    const worker = new Worker(bundledModule(new URL('./delivery-thread.js', import.meta.url)), { workerData })
    const thread = exchangeCalls<Thread, Host>(worker, () => ({
      disable,
      log: (level, fields, message) => log[level](fields, message),
    }))
    running = { thread, worker }
    worker.unref()
    worker.on('error', (err) => log.error({ err }, 'the thread that delivers webhooks failed; a new one is started'))
    worker.once('exit', () => {
      running = undefined
      thread.giveUp(new Error('The thread that delivers webhooks has ended.'))
      if (!isStopping) timer = setTimeout(startIfNeeded, RESTART_AFTER_MS).unref()
    })
  }

  function startIfNeeded(): void {
    if (running || isStopping) return
    hasEnabledWebhooks(db)
      .then((isNeeded) => (isNeeded ? start() : undefined))
      .catch((err: Error) => {
        if (isStopping) return
        log.warn(`Webhooks are not delivered yet: ${err.message}`)
        timer = setTimeout(startIfNeeded, RESTART_AFTER_MS).unref()
      })
  }

  const listening = listen(db, WEBHOOKS_CHANNEL, { heard: startIfNeeded, ready: startIfNeeded })
  return {
    async stop(finishWithinMs) {
      isStopping = true
      clearTimeout(timer)
      await listening.stop()
      const stopped = running?.thread.ask('stop', finishWithinMs).catch(() => undefined)
      await Promise.race([stopped, delay(finishWithinMs + END_WITHIN_MS, undefined, { ref: false })])
      await running?.worker.terminate()
    },
  }
}

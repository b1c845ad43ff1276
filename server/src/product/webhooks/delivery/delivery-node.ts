import { setTimeout as delay } from 'node:timers/promises'
import { EVENTS_CHANNEL } from '../../../kernel/announcements.ts'
import type { Log } from '../../../kernel/context.ts'
import { isDatabaseAway, listen, type Sql } from '../../../kernel/database/index.ts'
import { openGuardedPool } from '../../../kernel/http/outgoing/guarded-pool.ts'
import { unseal } from '../../../kernel/sealing.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { WEBHOOKS_CHANNEL } from '../queries.ts'
import { PRIVATE_HOSTS_SETTING } from '../settings.ts'
import type { Address } from './attempt.ts'
import { type Courier, MAX_AT_ONCE, startCourier } from './courier.ts'
import { type Leased, leaseWebhooks, releaseWebhooks } from './delivery-queries.ts'

export interface NodeOptions {
  leaseMs: number
  retriesMs: readonly number[]
  failingAllowedMs: number
  secretKey: string
  privateHosts: boolean
}

interface NodeDeps {
  sql: Sql
  log: Log
  /** A webhook fails for good. */
  disable(projectId: string, id: string, reason: string): Promise<void>
}

/**
 * Delivers webhooks. A webhook belongs to one node at a time: the first that takes it, until it stops or no longer renews
 * its lease.
 */
export function startDeliveryNode({ sql, log, disable }: NodeDeps, options: NodeOptions) {
  const { leaseMs, retriesMs, failingAllowedMs, secretKey, privateHosts } = options
  const nodeId = uuidv7()
  const couriers = new Map<string, { courier: Courier; projectId: string; version: string }>()
  const unreadable = new Set<string>()
  let leasedUntilMs = Number.POSITIVE_INFINITY
  let isStopping = false
  let isLeasing = false
  let isWanted = false

  function addressOf(webhook: Leased): Address | undefined {
    const { id, projectId, url } = webhook
    const sealed = [webhook.sealedSecret, webhook.previousSealedSecret].filter((one) => one !== null)
    const secrets = sealed.map((one) => unseal(secretKey, id, one)).filter((one) => one !== undefined)
    const guard = { privateHosts, allowedBy: PRIVATE_HOSTS_SETTING }
    if (secrets.length > 0)
      return { projectId, secrets, connections: openGuardedPool(new URL(url), { connections: MAX_AT_ONCE, ...guard }) }
    if (!unreadable.has(id)) log.error({ webhook_id: id }, 'the secret of a webhook was stored with another SECRET_KEY')
    unreadable.add(id)
    return undefined
  }

  function follow(webhook: Leased): void {
    const { id, projectId, isFailing } = webhook
    const version = `${webhook.updatedAt} ${webhook.previousSealedSecret !== null}`
    const known = couriers.get(id)
    if (known?.version === version) {
      known.courier.look()
      return
    }
    const address = addressOf(webhook)
    if (!address) return
    if (known) {
      known.version = version
      known.courier.change(address)
      return
    }
    const giveUp = (reason: string) => disable(projectId, id, reason)
    const isCrowded = () => lag.meanMs > CROWDED_MS
    const health = { isCrowded, isFailing, retriesMs, failingAllowedMs, giveUp }
    const courier = startCourier({ db: sql, log, webhook: { id, projectId }, nodeId, address, ...health })
    couriers.set(id, { courier, projectId, version })
  }

  function drop(ids: Iterable<string>): void {
    for (const id of [...ids]) {
      void couriers.get(id)?.courier.stop()
      couriers.delete(id)
    }
  }

  async function leaseOnce(): Promise<void> {
    const begunMs = performance.now()
    const leased = await leaseWebhooks(sql, nodeId, leaseMs)
    if (isStopping) return
    leasedUntilMs = begunMs + leaseMs
    const mine = new Set(leased.map(({ id }) => id))
    drop([...couriers.keys()].filter((id) => !mine.has(id)))
    for (const one of leased) follow(one)
  }

  async function lease(): Promise<void> {
    isWanted = true
    if (isLeasing) return
    isLeasing = true
    while (isWanted && !isStopping) {
      isWanted = false
      await leaseOnce().catch((err: Error) => {
        if (!isDatabaseAway(err)) log.error({ err }, 'webhooks could not be leased')
        // Another node may deliver by now.
        if (performance.now() > leasedUntilMs) drop(couriers.keys())
      })
    }
    isLeasing = false
  }

  const lag = measureLag()
  const timer = setInterval(() => void lease(), leaseMs / 3)
  const listening = listen(sql, [EVENTS_CHANNEL, WEBHOOKS_CHANNEL], {
    heard: (message, channel) => {
      if (channel === WEBHOOKS_CHANNEL) return void lease()
      for (const { courier, projectId } of couriers.values()) if (projectId === message) courier.look()
    },
    // What was announced while the connection was broken is lost. Leasing looks into every log.
    ready: () => void lease(),
  })

  return {
    async stop(finishWithinMs: number): Promise<void> {
      isStopping = true
      clearInterval(timer)
      lag.stop()
      await listening.stop()
      const stopped = Promise.all([...couriers.values()].map(({ courier }) => courier.stop()))
      await Promise.race([stopped, delay(finishWithinMs, undefined, { ref: false })])
      await releaseWebhooks(sql, nodeId).catch(() => undefined)
    },
  }
}

const LOOK_EVERY_MS = 50
const CROWDED_MS = 15

/** How late timers are: a thread of low priority waits first when the processors are busy. */
function measureLag() {
  let expectedMs = performance.now() + LOOK_EVERY_MS
  const lag = { meanMs: 0, stop: () => clearInterval(timer) }
  const timer = setInterval(() => {
    const now = performance.now()
    lag.meanMs = lag.meanMs * 0.8 + Math.max(0, now - expectedMs) * 0.2
    expectedMs = now + LOOK_EVERY_MS
  }, LOOK_EVERY_MS)
  return lag
}

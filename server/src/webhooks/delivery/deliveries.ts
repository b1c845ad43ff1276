import { setTimeout as delay } from 'node:timers/promises'
import { EVENTS_CHANNEL } from '../../kernel/announcements.ts'
import { forProject, isDatabaseAway, listen } from '../../kernel/database/index.ts'
import { unseal } from '../../kernel/sealing.ts'
import type { Background, BackgroundDeps } from '../../kernel/slice.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import { disableFailing } from '../actions.ts'
import { WEBHOOKS_CHANNEL } from '../queries.ts'
import { webhookSettings } from '../settings.ts'
import { type Address, openAgent } from './attempt.ts'
import { type Courier, FAILING_ALLOWED_MS, MAX_AT_ONCE, RETRIES_MS, startCourier } from './courier.ts'
import { type Leased, leaseWebhooks, releaseWebhooks } from './delivery-queries.ts'

/** Overridden by tests only. */
interface DeliveryOptions {
  leaseMs?: number
  retriesMs?: readonly number[]
  failingAllowedMs?: number
}

/**
 * Delivers webhooks on this node. A webhook belongs to one node at a time: the first that takes it, until it stops or no
 * longer renews its lease.
 */
export function startDeliveries(deps: BackgroundDeps, options: DeliveryOptions = {}): Background {
  const { leaseMs = 15_000, retriesMs = RETRIES_MS, failingAllowedMs = FAILING_ALLOWED_MS } = options
  const { db, log, wiring } = deps
  const { privateHosts } = wiring.settings.of(webhookSettings)
  const nodeId = uuidv7()
  const couriers = new Map<string, { courier: Courier; projectId: string; version: string }>()
  let leasedUntilMs = Number.POSITIVE_INFINITY
  let isStopping = false
  let isLeasing = false
  let isWanted = false

  async function addressOf(webhook: Leased): Promise<Address> {
    const { id, projectId, url } = webhook
    const secretKey = await wiring.settings.secretKey()
    const sealed = [webhook.sealedSecret, webhook.previousSealedSecret].filter((one) => one !== null)
    const secrets = sealed.map((one) => unseal(secretKey, id, one)).filter((one) => one !== undefined)
    if (secrets.length === 0)
      log.error({ webhook_id: id }, 'the secret of a webhook was stored with another SECRET_KEY')
    return { projectId, url, secrets, privateHosts, agent: openAgent(url, MAX_AT_ONCE) }
  }

  async function giveUp({ id, projectId }: Leased, reason: string): Promise<void> {
    const project = await findProject(db, projectId)
    if (project) await disableFailing(operatorCtx({ db, wiring, log }, project), id, reason)
  }

  async function follow(webhook: Leased): Promise<void> {
    const version = `${webhook.updatedAt} ${webhook.previousSealedSecret !== null}`
    const known = couriers.get(webhook.id)
    if (known?.version === version) return known.courier.look()
    const address = await addressOf(webhook)
    if (address.secrets.length === 0) return
    if (known) {
      known.version = version
      return known.courier.change(address)
    }
    const { projectId, isFailing } = webhook
    const courier = startCourier({
      db: forProject(db, projectId),
      log,
      webhook,
      nodeId,
      address,
      isFailing,
      retriesMs,
      failingAllowedMs,
      giveUp: (reason) => giveUp(webhook, reason),
    })
    couriers.set(webhook.id, { courier, projectId, version })
  }

  function drop(ids: Iterable<string>): void {
    for (const id of [...ids]) {
      void couriers.get(id)?.courier.stop()
      couriers.delete(id)
    }
  }

  async function leaseOnce(): Promise<void> {
    const begunMs = performance.now()
    const leased = await leaseWebhooks(db, nodeId, leaseMs)
    if (isStopping) return
    leasedUntilMs = begunMs + leaseMs
    const mine = new Set(leased.map(({ id }) => id))
    drop([...couriers.keys()].filter((id) => !mine.has(id)))
    for (const one of leased) await follow(one)
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

  const timer = setInterval(() => void lease(), leaseMs / 3)
  const listening = listen(db, [EVENTS_CHANNEL, WEBHOOKS_CHANNEL], {
    heard: (message, channel) => {
      if (channel === WEBHOOKS_CHANNEL) return void lease()
      for (const { courier, projectId } of couriers.values()) if (projectId === message) courier.look()
    },
    // What was announced while the connection was broken is lost. Leasing looks into every log.
    ready: () => void lease(),
  })

  return {
    async stop(finishWithinMs) {
      isStopping = true
      clearInterval(timer)
      await listening.stop()
      const stopped = Promise.all([...couriers.values()].map(({ courier }) => courier.stop()))
      await Promise.race([stopped, delay(finishWithinMs, undefined, { ref: false })])
      await releaseWebhooks(db, nodeId).catch(() => undefined)
    },
  }
}

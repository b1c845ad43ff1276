import { forProject } from '../../../kernel/database/index.ts'
import { type GuardedPool, openGuardedPool } from '../../../kernel/http/outgoing/guarded-pool.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { unseal } from '../../../kernel/sealing.ts'
import type { Job, JobDeps } from '../../../kernel/slice.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import { disableFailing } from '../actions.ts'
import { PRIVATE_HOSTS_SETTING, webhookSettings } from '../settings.ts'
import { DELIVER, type Target } from '../webhook.ts'
import { type Attempt, attempt } from './attempt.ts'
import { claimNext, type Due, MAX_AT_ONCE, recordOutcome } from './delivery-queries.ts'

const [S, MIN, H] = [1_000, 60_000, 3_600_000]
const MAX_RETRY_AFTER_MS = 10 * H
/** After this, a job makes way for those of other webhooks. */
const WORK_MS = 2 * S
const KEPT_OPEN_MS = 10 * S

const TIMES = {
  /** The waits between attempts: about a day. */
  retriesMs: [5 * S, 5 * MIN, 30 * MIN, 2 * H, 5 * H, 8 * H, 8.5 * H] as readonly number[],
  /** How long every attempt may fail before the webhook is disabled. */
  failingAllowedMs: 24 * H,
}
export type Times = typeof TIMES

/**
 * Sends what is due for a webhook. There is a job for each delivery, but it takes what comes next, so that events about a
 * subject are sent in order: the next one once the one before it was accepted. `times` are overridden by tests only.
 */
export const delivering = (times: Partial<Times> = {}): Job => {
  const connectionsTo = keepConnections()
  return {
    waits: true,
    run: (payload, deps) => deliver(payload as Target, deps, { ...TIMES, ...times, connectionsTo }),
  }
}

async function deliver(
  target: Target,
  deps: JobDeps,
  { connectionsTo, ...times }: Times & { connectionsTo: ConnectionsTo },
): Promise<void> {
  const db = forProject(deps.db, target.projectId)
  const secretKey = await deps.wiring.settings.secretKey()
  const untilMs = performance.now() + WORK_MS
  const { privateHosts } = deps.wiring.settings.of(webhookSettings)
  while (performance.now() < untilMs) {
    const due = await claimNext(db, target)
    if (!due) return
    const sealed = [due.sealedSecret, due.previousSealedSecret].filter((one) => one !== null)
    const secrets = sealed.map((one) => unseal(secretKey, target.webhookId, one)).filter((one) => one !== undefined)
    const connections = connectionsTo(target.webhookId, due.url, privateHosts)
    const made = await attempt({ projectId: target.projectId, secrets, connections }, due)
    const outcome = { ...made, retryMs: retryMsOf(due, made, times) }
    const isTooLong = await recordOutcome(db, target, due, outcome, times.failingAllowedMs)
    if (made.responseStatus === 410) await disable(target, deps, 'It answered 410: the receiver wants no more events.')
    else if (isTooLong) await disable(target, deps, `Every attempt failed for a day. The last error: ${made.error}`)
  }
  await enqueue(db, DELIVER, [target])
}

function retryMsOf({ attempts }: Due, { isDelivered, retryAfterMs = 0 }: Attempt, { retriesMs }: Times) {
  const waitMs = retriesMs[attempts]
  if (isDelivered || waitMs === undefined) return undefined
  // Spread a little, so that what failed together does not come back together.
  return Math.max(waitMs * (1 + Math.random() / 10), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
}

type ConnectionsTo = (webhookId: string, url: string, privateHosts: boolean) => GuardedPool

/** Connections of a webhook stay open for a while. Closing them waits for what is under way. */
function keepConnections(): ConnectionsTo {
  const kept = new Map<string, { connections: GuardedPool; timer: NodeJS.Timeout }>()
  return (webhookId, url, privateHosts) => {
    const key = `${webhookId} ${url}`
    const known = kept.get(key)
    known?.timer.refresh()
    if (known) return known.connections
    const guard = { privateHosts, allowedBy: PRIVATE_HOSTS_SETTING }
    const connections = openGuardedPool(new URL(url), { connections: MAX_AT_ONCE, ...guard })
    const close = () => {
      kept.delete(key)
      connections.close()
    }
    kept.set(key, { connections, timer: setTimeout(close, KEPT_OPEN_MS).unref() })
    return connections
  }
}

async function disable({ projectId, webhookId }: Target, { db, wiring, log }: JobDeps, reason: string): Promise<void> {
  const project = await findProject(db, projectId)
  if (project) await disableFailing(operatorCtx({ db, wiring, log }, project), webhookId, reason)
}

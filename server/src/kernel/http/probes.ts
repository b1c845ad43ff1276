import type { FastifyInstance } from 'fastify'
import type { Sql } from '../database/index.ts'
import { unavailable } from '../errors.ts'

const READY_WITHIN_MS = 2_000

/** Probes for load balancers and supervisors. They belong to no API and need no key. */
export function registerProbes(app: FastifyInstance, sql: Sql): void {
  app.get('/livez', async () => ({ status: 'ok' }))
  let asking: Promise<void> | undefined
  app.get('/readyz', async () => {
    // Anyone may ask, so those who ask at the same time share one query.
    asking ??= askDatabase(sql).finally(() => {
      asking = undefined
    })
    await asking
    return { status: 'ok' }
  })
}

async function askDatabase(sql: Sql): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(reject, READY_WITHIN_MS, new Error('late'))
  })
  try {
    await Promise.race([sql`select 1`, late])
  } catch {
    throw unavailable('database_unavailable', 'The database cannot be reached right now.')
  } finally {
    clearTimeout(timer)
  }
}

import type { FastifyInstance } from 'fastify'
import type { Sql } from '../database/index.ts'
import { unavailable } from '../errors.ts'

const READY_WITHIN_MS = 2_000

/** Probes for load balancers and supervisors. They belong to no API and need no key. */
export function registerProbes(app: FastifyInstance, sql: Sql): void {
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
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
    return { status: 'ok' }
  })
}

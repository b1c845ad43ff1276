import type { JobDeps } from '../../kernel/slice.ts'
import { type OpenIntegration, openIntegration } from './client.ts'
import { recordHealth } from './health-queries.ts'
import { IntegrationFailure } from './integration.ts'
import { findConnections } from './queries.ts'

interface Granted {
  projectId: string
  ownerId: string
  ids: readonly string[]
  /** The tools that may be used, by integration. All of one that is not named. */
  tools: Readonly<Record<string, readonly string[]>>
}

/**
 * Opens the integrations granted to an agent. Skips those that the owner has disconnected since; throws if one cannot
 * be reached.
 */
export async function openGranted(
  deps: Pick<JobDeps, 'db' | 'wiring' | 'store'>,
  { projectId, ownerId, ids, tools }: Granted,
  signal: AbortSignal,
): Promise<OpenIntegration[]> {
  if (ids.length === 0) return []
  const connections = await findConnections(deps.db, projectId, ownerId, [...ids])
  const opened = await Promise.allSettled(connections.map((one) => openIntegration(deps, one, signal)))
  await Promise.all(
    opened.map(async (one, index) => {
      const { id } = connections[index]!
      if (one.status === 'fulfilled') await recordHealth(deps.db, projectId, id, one.value)
      else if (one.reason instanceof IntegrationFailure)
        await recordHealth(deps.db, projectId, id, { fault: one.reason.message })
    }),
  )
  const open = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = opened.find((one) => one.status === 'rejected')
  if (!failed)
    return open.map((one) => {
      const allowed = tools[one.id]
      return allowed ? { ...one, tools: one.tools.filter(({ name }) => allowed.includes(name)) } : one
    })
  await Promise.all(open.map((one) => one.close()))
  throw failed.reason
}

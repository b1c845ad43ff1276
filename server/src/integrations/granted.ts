import type { JobDeps } from '../kernel/slice.ts'
import { type OpenIntegration, openIntegration } from './client.ts'
import { findConnections } from './queries.ts'

/**
 * Opens the integrations granted to an agent. Skips those that the owner has disconnected since; throws if one cannot
 * be reached.
 */
export async function openGranted(
  { db, wiring }: Pick<JobDeps, 'db' | 'wiring'>,
  { projectId, ownerId, ids }: { projectId: string; ownerId: string; ids: string[] },
  signal: AbortSignal,
): Promise<OpenIntegration[]> {
  if (ids.length === 0) return []
  const connections = await findConnections(db, projectId, ownerId, ids)
  const opened = await Promise.allSettled(connections.map((one) => openIntegration(one, wiring.settings, signal)))
  const open = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = opened.find((one) => one.status === 'rejected')
  if (!failed) return open
  await Promise.all(open.map((one) => one.close()))
  throw failed.reason
}

import type { Actor } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import type { Resource, Scope } from './metadata.ts'
import { findTokenOwner, touchGrant } from './queries.ts'
import { hashToken } from './token.ts'

/** A person for whom a connected app acts. */
export interface AppActor extends Actor {
  app: { resource: Resource; scope: Scope }
}

export const appOf = (actor: Actor): AppActor['app'] | undefined => (actor as Partial<AppActor>).app

/**
 * Finds whom an access token acts for. Nothing is kept in memory: an end of access counts from the next request on. An app
 * that may only read has the rights of a viewer, whatever the person is.
 */
export async function findAppActor(db: Db, token: string): Promise<AppActor | undefined> {
  const row = await findTokenOwner(db, hashToken(token))
  if (!row) return undefined
  if (row.is_quiet) touchGrant(db, row.project_id, row.id).catch(() => undefined)
  return {
    origin: 'mcp',
    organizationId: row.organization_id,
    projectId: row.project_id,
    userId: row.user_id,
    userName: row.name,
    userEmail: row.email,
    projectRole: row.scope === 'read' ? 'viewer' : row.project_role,
    organizationRole: row.scope === 'read' ? 'member' : row.organization_role,
    keyId: row.id,
    agentName: row.client_name,
    app: { resource: row.resource, scope: row.scope },
  }
}

import type { FastifyBaseLogger } from 'fastify'
import type { Db } from './database/index.ts'
import type { Wiring } from './slice.ts'
import type { Store } from './storage/index.ts'
import type { Computed } from './threads/compute-first.ts'

export type ProjectRole = 'admin' | 'editor' | 'viewer'
export type OrganizationRole = 'member' | 'admin' | 'super_admin'

/** Through which door something was done. */
export type Origin = 'user' | 'external_api' | 'mcp' | 'agent' | 'automation' | 'system'

/** Who acts, in which project, with which rights. Everything is loaded through it. */
export interface Actor {
  origin: Origin
  organizationId: string
  projectId: string
  /** Null for the operator at the command line. */
  userId: string | null
  userName: string
  userEmail: string
  projectRole: ProjectRole
  organizationRole: OrganizationRole
  keyId: string | null
  /** From which pages the key may be used in a browser; undefined means from all. */
  allowedOrigins?: readonly string[]
}

/** The service's own, so that everything it does can be read in one place. */
export type Log = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

export interface Ctx {
  db: Db
  actor: Actor
  requestId: string
  log: Log
  wiring: Wiring
  /** Never called while a transaction is open. */
  store: Store
  /** What absolute links start with. */
  baseUrl: string
  /** The caller's `If-Match` header, untouched. */
  ifMatch: string | undefined
  /** What was computed before the transaction, see `kernel/threads/compute-first.ts`. */
  computed?: Computed[] | undefined
}

import type { Actor, OrganizationRole, ProjectRole } from '../kernel/context.ts'
import type { Sql } from '../kernel/database/index.ts'
import { hashKey, KEY_PREFIX, type KeyKind } from './key.ts'

export interface Keyring {
  /** Who a key acts for; undefined when it is not valid. Synchronous while what is in memory is known to be current. */
  authenticate(key: string, kind: KeyKind): Actor | undefined | Promise<Actor | undefined>
}

interface Entry {
  actor: Actor
  kind: KeyKind
  expiresAtMs: number
  touchedAtMs: number
}

/** From this age on, the revision is asked for beside the request; from the second age on, before it. */
const REFRESH_AFTER_MS = 400
const TRUSTED_MS = 900
const TOUCH_EVERY_MS = 60_000

/**
 * Keys in memory. Every change of who may do what moves one number in the database (`access_revision`); memory is
 * trusted for less than a second after that number was last seen unchanged, and emptied when it moved. So a revoked
 * key is refused on every node within a second, even on one that was cut off from the database.
 */
export function createKeyring(sql: Sql): Keyring {
  const entries = new Map<string, Entry>()
  let revision: string | undefined
  let seenAtMs = Number.NEGATIVE_INFINITY
  /** What the database's clock is ahead of this process's timer. The clock of this machine may be wrong, or be set. */
  let aheadMs = 0
  let generation = 0
  let checking: Promise<void> | undefined

  function checkRevision(): Promise<void> {
    checking ??= (async () => {
      const askedAtMs = performance.now()
      const [row] = await sql<{ revision: string; nowMs: number }[]>`
        select revision, extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs" from access_revision`
      aheadMs = row!.nowMs - askedAtMs
      if (row!.revision !== revision) {
        revision = row!.revision
        generation++
        entries.clear()
      }
      seenAtMs = askedAtMs
    })().finally(() => {
      checking = undefined
    })
    return checking
  }

  async function load(key: string): Promise<Entry | undefined> {
    const startedIn = generation
    const [row] = await sql<KeyOwnerRow[]>`
      select k.id, k.kind, k.project_id, k.user_id, k.expires_at, k.allowed_origins, p.organization_id, u.name, u.email,
        m.role as project_role, coalesce(om.role, 'member') as organization_role
      from api_keys k
      join projects p on p.id = k.project_id
      join users u on u.id = k.user_id
      join project_members m on m.project_id = k.project_id and m.user_id = k.user_id
      left join organization_members om on om.organization_id = p.organization_id and om.user_id = k.user_id
      where k.sha256 = ${hashKey(key)} and k.revoked_at is null`
    if (!row) return undefined
    const entry = toEntry(row)
    // What was read before memory was last emptied may be older than the change that emptied it.
    if (startedIn === generation) entries.set(key, entry)
    return entry
  }

  function use(entry: Entry | undefined, kind: KeyKind): Actor | undefined {
    const now = performance.now()
    if (!entry || entry.kind !== kind || entry.expiresAtMs <= now + aheadMs) return undefined
    if (now - entry.touchedAtMs > TOUCH_EVERY_MS) {
      entry.touchedAtMs = now
      sql`update api_keys set last_used_at = now() where id = ${entry.actor.keyId}`.catch(() => undefined)
    }
    return entry.actor
  }

  async function authenticateSlowly(key: string, kind: KeyKind, trusted: boolean) {
    if (!trusted) await checkRevision()
    return use(entries.get(key) ?? (await load(key)), kind)
  }

  return {
    authenticate(key, kind) {
      if (!key.startsWith(KEY_PREFIX[kind])) return undefined
      const age = performance.now() - seenAtMs
      const trusted = age < TRUSTED_MS
      const entry = trusted ? entries.get(key) : undefined
      if (!entry) return authenticateSlowly(key, kind, trusted)
      if (age > REFRESH_AFTER_MS) checkRevision().catch(() => undefined)
      return use(entry, kind)
    },
  }
}

interface KeyOwnerRow {
  id: string
  kind: KeyKind
  project_id: string
  user_id: string
  expires_at: string | null
  allowed_origins: string[] | null
  organization_id: string
  name: string
  email: string
  project_role: ProjectRole
  organization_role: OrganizationRole
}

function toEntry(row: KeyOwnerRow): Entry {
  return {
    kind: row.kind,
    expiresAtMs: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
    touchedAtMs: Number.NEGATIVE_INFINITY,
    actor: {
      origin: 'external_api',
      organizationId: row.organization_id,
      projectId: row.project_id,
      userId: row.user_id,
      userName: row.name,
      userEmail: row.email,
      projectRole: row.project_role,
      organizationRole: row.organization_role,
      keyId: row.id,
      ...(row.allowed_origins && { allowedOrigins: row.allowed_origins }),
    },
  }
}

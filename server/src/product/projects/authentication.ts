import type { Actor } from '../../kernel/context.ts'
import type { Sql } from '../../kernel/database/index.ts'
import { hashKey, KEY_PREFIX, type KeyKind, roleOfKey } from './key.ts'
import { findKeyOwner, type KeyOwnerRow, readAccessRevision, touchKey } from './key-queries.ts'

export interface Keyring {
  /** Returns the actor of a key, or undefined if it is not valid. Synchronous while memory is known to be current. */
  authenticate(key: string, kind: KeyKind): Actor | undefined | Promise<Actor | undefined>
}

interface Entry {
  actor: Actor
  kind: KeyKind
  expiresAtMs: number
  touchedAtMs: number
}

/** After this age, the revision is read beside the request; after the next one, before it. */
const REFRESH_AFTER_MS = 400
const TRUSTED_MS = 900
const TOUCH_EVERY_MS = 60_000

/**
 * Keeps keys in memory. Every change of access increases a number in the database (`access_revision`). Memory is
 * trusted for less than a second after that number was last read, and cleared when it changed. A revoked key is
 * therefore refused on every node within a second, even on one that is cut off from the database.
 */
export function createKeyring(sql: Sql): Keyring {
  const entries = new Map<string, Entry>()
  let revision: string | undefined
  let seenAtMs = Number.NEGATIVE_INFINITY
  /**
   * How far the database's clock is ahead of this process's timer. The clock of this machine may be wrong or change.
   */
  let aheadMs = 0
  let generation = 0
  let checking: Promise<void> | undefined

  function checkRevision(): Promise<void> {
    checking ??= (async () => {
      const askedAtMs = performance.now()
      const read = await readAccessRevision(sql)
      aheadMs = read.nowMs - askedAtMs
      if (read.revision !== revision) {
        revision = read.revision
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
    const row = await findKeyOwner(sql, hashKey(key))
    if (!row) return undefined
    const entry = toEntry(row)
    // What was read before memory was cleared may be older than the change that cleared it.
    if (startedIn === generation) entries.set(key, entry)
    return entry
  }

  function use(entry: Entry | undefined, kind: KeyKind): Actor | undefined {
    const now = performance.now()
    if (!entry || entry.kind !== kind || entry.expiresAtMs <= now + aheadMs) return undefined
    if (now - entry.touchedAtMs > TOUCH_EVERY_MS) {
      entry.touchedAtMs = now
      touchKey(sql, entry.actor.keyId!).catch(() => undefined)
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

function toEntry(row: KeyOwnerRow): Entry {
  const projectRole = roleOfKey(row.owner_role, row.key_role)
  const isBelowOwner = projectRole !== row.owner_role
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
      projectRole,
      organizationRole: isBelowOwner ? 'member' : row.organization_role,
      keyId: row.id,
      agentName: row.key_name,
      ...(isBelowOwner && { isBelowOwner }),
      ...(row.allowed_origins && { allowedOrigins: row.allowed_origins }),
    },
  }
}

import type { Actor } from '../../kernel/context.ts'
import type { Sql } from '../../kernel/database/index.ts'
import { hashKey, KEY_PREFIX, type KeyKind, roleOfKey } from './key.ts'
import { findKeyOwner, type KeyOwnerRow, touchKey } from './key-queries.ts'

export interface Keyring {
  /** Returns the actor of a key, or undefined if it is not valid. Synchronous while the key is known. */
  authenticate(key: string, kind: KeyKind): Actor | undefined | Promise<Actor | undefined>
}

interface Entry {
  actor: Actor
  kind: KeyKind
  /** Both on this process's timer. The clock of the machine may be wrong or change. */
  readAtMs: number
  expiresAtMs: number
  touchedAtMs: number
}

/** After this age, a key is read again beside the request; after the next one, before it. */
const REFRESH_AFTER_MS = 400
const TRUSTED_MS = 900
const TOUCH_EVERY_MS = 60_000
const MOST_KEYS = 20_000

/**
 * Keeps each key in memory for less than a second after it was read. A revoked key is therefore refused on every node
 * within a second, even on one that is cut off from the database.
 */
export function createKeyring(sql: Sql): Keyring {
  const entries = new Map<string, Entry>()
  const reading = new Map<string, Promise<Entry | undefined>>()

  /** Requests that come while a key is read share the read. */
  function read(key: string): Promise<Entry | undefined> {
    const underWay = reading.get(key)
    if (underWay) return underWay
    const started = readOnce(key).finally(() => reading.delete(key))
    reading.set(key, started)
    return started
  }

  async function readOnce(key: string): Promise<Entry | undefined> {
    const readAtMs = performance.now()
    const row = await findKeyOwner(sql, hashKey(key))
    const before = entries.get(key)
    if (entries.size >= MOST_KEYS) entries.clear()
    if (!row) {
      entries.delete(key)
      return undefined
    }
    const entry = toEntry(row, readAtMs, before?.touchedAtMs ?? Number.NEGATIVE_INFINITY)
    entries.set(key, entry)
    return entry
  }

  function use(entry: Entry | undefined, kind: KeyKind): Actor | undefined {
    const now = performance.now()
    if (!entry || entry.kind !== kind || entry.expiresAtMs <= now) return undefined
    if (now - entry.touchedAtMs > TOUCH_EVERY_MS) {
      entry.touchedAtMs = now
      touchKey(sql, entry.actor.keyId!).catch(() => undefined)
    }
    return entry.actor
  }

  return {
    authenticate(key, kind) {
      if (!key.startsWith(KEY_PREFIX[kind])) return undefined
      const entry = entries.get(key)
      const ageMs = entry ? performance.now() - entry.readAtMs : Number.POSITIVE_INFINITY
      if (ageMs >= TRUSTED_MS) return read(key).then((fresh) => use(fresh, kind))
      if (ageMs > REFRESH_AFTER_MS) read(key).catch(() => undefined)
      return use(entry, kind)
    },
  }
}

function toEntry(row: KeyOwnerRow, readAtMs: number, touchedAtMs: number): Entry {
  const projectRole = roleOfKey(row.owner_role, row.key_role)
  const isBelowOwner = projectRole !== row.owner_role
  return {
    kind: row.kind,
    readAtMs,
    expiresAtMs: row.expires_in_ms === null ? Number.POSITIVE_INFINITY : readAtMs + row.expires_in_ms,
    touchedAtMs,
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

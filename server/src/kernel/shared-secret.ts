import { randomBytes } from 'node:crypto'
import type { Db } from './database/index.ts'

const known = new WeakMap<object, Map<string, Promise<string>>>()

/**
 * Returns a random key that all nodes on a database share, creating it on first use. For signing, not for encryption.
 */
export function sharedSecret(db: Db, name: string): Promise<string> {
  const names = known.get(db.runner.root) ?? new Map<string, Promise<string>>()
  known.set(db.runner.root, names)
  const found = names.get(name) ?? load(db, name)
  names.set(name, found)
  found.catch(() => names.delete(name))
  return found
}

async function load(db: Db, name: string): Promise<string> {
  const [before] = await db<{ value: string }[]>`select value from shared_secrets where name = ${name}`
  if (before) return before.value
  await db`insert into shared_secrets (name, value) values (${name}, ${randomBytes(32).toString('base64url')})
    on conflict do nothing`
  const [row] = await db<{ value: string }[]>`select value from shared_secrets where name = ${name}`
  return row!.value
}

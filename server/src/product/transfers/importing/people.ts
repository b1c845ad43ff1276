import { Type } from 'typebox'
import type { Db, Tx } from '../../../kernel/database/index.ts'
import { Nullable, OneOf, Text, Time, Uuid } from '../../../kernel/http/schema.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { findColleagues, insertNames } from '../../accounts/index.ts'
import { insertPastKeys, KEY_KINDS } from '../../projects/index.ts'
import type { Key, Person } from '../queries.ts'
import { unusable } from './unusable.ts'

export const PersonRow = Type.Object({
  id: Uuid,
  name: Text(200, { minLength: 1 }),
  email: Text(320),
  role: Nullable(Text(100)),
})
export const KeyRow = Type.Object({
  id: Uuid,
  user_id: Uuid,
  kind: OneOf(KEY_KINDS),
  name: Text(200),
  created_at: Time,
})

/** Who the people and keys of a file are here. */
export interface Settlement {
  /** The ids that people and keys have here, by those in the file. */
  ids: Map<string, string>
  strangers: { id: string; name: string; email: string }[]
  keys: (Key & { user_id: string })[]
}

/**
 * Finds the people of the file among those of the organization, by their addresses. Of all others only the name comes:
 * an import must not tell who has an account elsewhere on the server, nor make accounts.
 */
export async function settlePeople(db: Db, organizationId: string, people: Person[], keys: Key[]): Promise<Settlement> {
  const addresses = people.map(({ email }) => email.toLowerCase())
  const here = await findColleagues(db, organizationId, addresses)
  const byAddress = new Map(here.map(({ id, address }) => [address, id]))
  const ids = new Map<string, string>()
  const strangers: Settlement['strangers'] = []
  for (const { id, name, email } of people) {
    const known = byAddress.get(email.toLowerCase())
    const own = known ?? uuidv7()
    ids.set(id, own)
    if (!known) strangers.push({ id: own, name, email })
  }
  const owned = keys.map((key) => {
    const owner = ids.get(key.user_id)
    if (!owner) throw unusable(`"keys.jsonl": the owner of the key "${key.name}" is not in "people.jsonl".`)
    return { ...key, id: uuidv7(), user_id: owner }
  })
  for (const [index, { id }] of owned.entries()) ids.set(keys[index]!.id, id)
  return { ids, strangers, keys: owned }
}

export async function insertPeople(tx: Tx, projectId: string, { strangers, keys }: Settlement): Promise<void> {
  if (strangers.length > 0) await insertNames(tx, strangers)
  if (keys.length > 0) await insertPastKeys(tx, projectId, keys)
}

import { Type } from 'typebox'
import { findColleagues, insertNames } from '../../accounts/index.ts'
import type { Tx } from '../../kernel/database/index.ts'
import { Nullable, OneOf, Text, Time, Uuid } from '../../kernel/http/schema.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
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

/**
 * Finds the people of the file among those of the organization, by their addresses. Of all others only the name comes:
 * an import must not tell who has an account elsewhere on the server, nor make accounts. Returns the ids that people and
 * keys have here.
 */
export async function settlePeople(
  tx: Tx,
  place: { projectId: string; organizationId: string },
  people: Person[],
  keys: Key[],
): Promise<Map<string, string>> {
  const addresses = people.map(({ email }) => email.toLowerCase())
  const here = await findColleagues(tx, place.organizationId, addresses)
  const byAddress = new Map(here.map(({ id, address }) => [address, id]))
  const strangers = people.flatMap(({ id, name, email }) =>
    byAddress.has(email.toLowerCase()) ? [] : [{ id: uuidv7(), name, from: id }],
  )
  if (strangers.length > 0) await insertNames(tx, strangers)
  const settled = new Map(strangers.map(({ from, id }) => [from, id]))
  for (const { id, email } of people) {
    const known = byAddress.get(email.toLowerCase())
    if (known) settled.set(id, known)
  }
  const past = keys.map((key) => ({ ...key, from: key.id, id: uuidv7(), user_id: settled.get(key.user_id) }))
  const orphan = past.find(({ user_id }) => user_id === undefined)
  if (orphan) throw unusable(`"keys.jsonl": the owner of the key "${orphan.name}" is not in "people.jsonl".`)
  if (past.length > 0) await insertPastKeys(tx, place.projectId, past as never)
  for (const { from, id } of past) settled.set(from, id)
  return settled
}

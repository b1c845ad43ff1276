import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '../../../kernel/context.ts'
import type { Sql } from '../../../kernel/database/index.ts'
import { apiKeyOf } from '../../../kernel/http/api-key.ts'
import { authorizeWrite, type Keyring } from '../../../projects/index.ts'
import { findDocument } from '../../queries.ts'
import { type DocumentRef, parseName } from '../document-name.ts'

export interface Admitted {
  key: string
  actor: Actor
  ref: DocumentRef
  mayType: boolean
}

/**
 * Authenticates a request to open a document. Returns undefined if the key is invalid, or if the document does not
 * exist or belongs to another project.
 */
export async function admit(
  sql: Sql,
  keyring: Keyring,
  { token, headers, name }: { token: string; headers: IncomingHttpHeaders; name: string },
): Promise<Admitted | undefined> {
  const key = token || apiKeyOf(headers)
  const actor = key === undefined ? undefined : await keyring.authenticate(key, 'external')
  const ref = parseName(name)
  if (!key || !actor || !ref) return undefined
  const document = await findDocument(sql, actor.projectId, ref.kind, ref.id)
  return document && { key, actor, ref, mayType: mayType(actor) }
}

export function mayType(actor: Actor): boolean {
  try {
    authorizeWrite(actor)
    return true
  } catch {
    return false
  }
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { isUuid } from '../../../kernel/uuid.ts'
import type { Place } from '../queries.ts'

/** The request that a cursor belongs to. Nothing of it may differ. */
export interface CursorScope {
  projectId: string
  ownerId: string
  query: string
  pageSize: number
  /** What else the list was asked for. */
  more?: string[]
}

export function writeCursor(secret: string, scope: CursorScope, { updatedAt, id }: Place): string {
  const place = Buffer.from(`${updatedAt} ${id}`).toString('base64url')
  return `${place}.${signatureOf(secret, scope, place)}`
}

/** Undefined unless `writeCursor` made it for exactly this scope. */
export function readCursor(secret: string, scope: CursorScope, cursor: string): Place | undefined {
  const [place = '', signature = '', ...more] = cursor.split('.')
  const wanted = Buffer.from(signatureOf(secret, scope, place))
  const sent = Buffer.from(signature)
  if (more.length > 0 || sent.length !== wanted.length || !timingSafeEqual(sent, wanted)) return undefined
  const [updatedAt, id] = Buffer.from(place, 'base64url').toString().split(' ')
  return updatedAt && id && isUuid(id) ? { updatedAt, id } : undefined
}

function signatureOf(
  secret: string,
  { projectId, ownerId, query, pageSize, more = [] }: CursorScope,
  place: string,
): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([projectId, ownerId, query, pageSize, place, ...more]))
    .digest('base64url')
}

import { randomUUID } from 'node:crypto'
import { plainName } from '../../product/oauth/index.ts'

/** A message of the protocol, before it is checked. */
export interface Message {
  id?: unknown
  method?: unknown
  params?: {
    name?: unknown
    clientInfo?: { name?: unknown; title?: unknown } | null
    _meta?: Record<string, unknown> | null
  } | null
}

/** What a client sends to greet, or to see whether the server is there. */
const GREETINGS = new Set<unknown>(['initialize', 'ping'])

const messagesIn = (body: unknown) => [body].flat().filter((one): one is Message => typeof one === 'object' && !!one)

/** What a request asks for, as a person reads it: the tools by name, anything else by its method. */
export const callsIn = (body: unknown): string[] =>
  messagesIn(body).flatMap(({ id, method, params }) => {
    if (id === undefined || typeof method !== 'string' || GREETINGS.has(method)) return []
    const name = method === 'tools/call' && typeof params?.name === 'string' ? params.name : method
    return plainName(name) || []
  })

/**
 * The session id for a client that introduces itself. Its name is part of the id, which the client sends with every further
 * request, so the name is known on every node and nothing is kept.
 */
export function sessionOf(body: unknown): string | undefined {
  const info = messagesIn(body).find(({ method }) => method === 'initialize')?.params?.clientInfo
  const name = [info?.title, info?.name].find((one) => typeof one === 'string' && plainName(one) !== '')
  return name === undefined
    ? undefined
    : `${randomUUID()}.${Buffer.from(plainName(name as string)).toString('base64url')}`
}

/** How the client called itself. Undefined if it did not. */
export function clientOfSession(id: string | string[] | undefined): string | undefined {
  if (typeof id !== 'string') return undefined
  const name = plainName(Buffer.from(id.slice(id.indexOf('.') + 1), 'base64url').toString())
  return id.includes('.') && name !== '' ? name : undefined
}

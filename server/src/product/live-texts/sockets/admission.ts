import type { IncomingMessage } from 'node:http'
import type { Actor } from '../../../kernel/context.ts'
import { apiKeyOf } from '../../../kernel/http/api-key.ts'
import { authorizeWrite, type Keyring } from '../../projects/index.ts'
import { type DocumentRef, parseName } from '../document-name.ts'

/** Someone who is signed in, in one project. */
export interface Person {
  sessionId: string
  actor: Actor
}

/** Finds the people behind the sockets of browsers. The sign-in is no business of texts. */
export interface People {
  /** Undefined if the page is not ours, nobody is signed in, or they are not a member of the project in the address. */
  find(request: SocketRequest): Promise<Person | undefined>
  /** Returns the actors of those who are still signed in and members. */
  recheck(people: Person[]): Promise<(Actor | undefined)[]>
}

export type SocketRequest = Pick<IncomingMessage, 'headers' | 'url'>
export type Credential = { key: string } | { person: Person }

export interface Admitted {
  credential: Credential
  actor: Actor
  ref: DocumentRef
  mayType: boolean
}

interface Request {
  token: string
  request: SocketRequest
  name: string
}

/**
 * Authenticates a request to open a document, by its key or else by the session of the browser. Returns undefined if
 * neither is valid.
 */
export async function admit(
  keyring: Keyring,
  people: People,
  { token, request, name }: Request,
): Promise<Admitted | undefined> {
  const key = token || apiKeyOf(request.headers)
  const ref = parseName(name)
  if (!ref) return undefined
  const found = key ? await byKey(keyring, key) : await byPerson(people, request)
  return found && { ...found, ref, mayType: mayType(found.actor) }
}

async function byKey(keyring: Keyring, key: string) {
  const actor = await keyring.authenticate(key, 'external')
  return actor && { credential: { key }, actor }
}

async function byPerson(people: People, request: SocketRequest) {
  const person = await people.find(request)
  return person && { credential: { person }, actor: person.actor }
}

/** Returns the current actors of credentials that were valid before. */
export async function recheck(
  keyring: Keyring,
  people: People,
  credentials: Credential[],
): Promise<(Actor | undefined)[]> {
  const persons = credentials.flatMap((one) => ('person' in one ? [one.person] : []))
  const actors = persons.length > 0 ? await people.recheck(persons) : []
  return Promise.all(
    credentials.map((one) => ('key' in one ? keyring.authenticate(one.key, 'external') : actors.shift())),
  )
}

export function mayType(actor: Actor): boolean {
  try {
    authorizeWrite(actor)
    return true
  } catch {
    return false
  }
}

import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Sql } from '../kernel/database/index.ts'
import { AppError, unavailable } from '../kernel/errors.ts'
import type { Face } from '../kernel/http/request.ts'
import { Data, Empty, FilledText, named, OneOf, Uuid } from '../kernel/http/schema.ts'
import { listProjectsOf } from '../projects/index.ts'
import { signInNeeded } from './authenticate.ts'
import type { Sessions, SignedIn } from './sessions.ts'
import { createSignInGate } from './sign-in-gate.ts'

const Session = named(
  'Session',
  Type.Object({
    user: Type.Object({
      id: Uuid,
      display_name: Type.String({ examples: ['Ada Lovelace'] }),
      email: Type.String({ examples: ['ada@example.org'] }),
    }),
    projects: Type.Array(
      Type.Object({
        id: Uuid,
        name: Type.String({ examples: ['Harbor Checkout'] }),
        role: OneOf(['admin', 'editor', 'viewer']),
      }),
    ),
  }),
)
const tags = ['Session']
/** Anyone may send a body here, so the limit allows just an email address and a password. */
const BODY_LIMIT_BYTES = 4 * 1024
const Credentials = Type.Object({ email: FilledText(320), password: FilledText(1_000) })

export function registerSessionRoutes(face: Face, { sessions, sql }: { sessions: Sessions; sql: Sql }) {
  const route = { config: { withoutProject: true }, bodyLimit: BODY_LIMIT_BYTES }
  const gate = createSignInGate()
  const describe = async (person: SignedIn) => ({
    user: { id: person.userId, display_name: person.name, email: person.email },
    projects: await listProjectsOf(sql, person.userId),
  })

  face.post(
    '/session',
    {
      ...route,
      schema: {
        operationId: 'signIn',
        summary: 'Sign in',
        description: 'Sets the cookie that all other operations need.',
        tags,
        body: Credentials,
        response: { 201: Data(Session) },
      },
    },
    async (req, reply) => {
      const answer = await gate.attempt({ ip: req.ip, email: req.body.email }, () => sessions.signIn(req.body))
      if (answer.status >= 500)
        throw unavailable('sign_in_unavailable', 'Nobody can sign in right now. Try again shortly.')
      if (!answer.ok) throw wrongPassword()
      const cookie = passCookies(answer, reply)
      reply.code(201)
      return { data: await describe((await sessions.find(cookie))!) }
    },
  )

  face.get(
    '/session',
    {
      ...route,
      schema: {
        operationId: 'getSession',
        summary: 'Say who is signed in, and their projects',
        tags,
        response: { 200: Data(Session) },
      },
    },
    async (req) => {
      const person = await sessions.find(req.headers.cookie)
      if (!person) throw signInNeeded()
      return { data: await describe(person) }
    },
  )

  face.delete(
    '/session',
    { ...route, schema: { operationId: 'signOut', summary: 'Sign out', tags, response: { 204: Empty } } },
    async (req, reply) => {
      if (req.headers.cookie) passCookies(await sessions.signOut(req.headers.cookie), reply)
      return reply.code(204).send(null)
    },
  )
}

/** Passes the cookies of the library on. Returns them as a browser would send them back. */
function passCookies(answer: Response, reply: FastifyReply): string {
  const cookies = answer.headers.getSetCookie()
  reply.header('set-cookie', cookies)
  return cookies.map((one) => one.split(';', 1)[0]).join('; ')
}

const wrongPassword = () =>
  new AppError(401, 'wrong_password', 'There is nobody with this e-mail address and password. Check both.')

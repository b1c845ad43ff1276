import { Type } from 'typebox'
import type { Sql } from '../../kernel/database/index.ts'
import { AppError, unavailable } from '../../kernel/errors.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, FilledText, Nullable } from '../../kernel/http/schema.ts'
import { VERSION } from '../external-api/health.ts'
import { signInNeeded } from './authenticate.ts'
import {
  clientOf,
  passCookies,
  presentSession,
  Session,
  type ShownSettings,
  SMALL_BODY_BYTES,
} from './session-shape.ts'
import type { Sessions } from './sessions.ts'
import type { SignInGate } from './sign-in-gate.ts'

const tags = ['Session']
const Credentials = Type.Object({ email: FilledText(320), password: FilledText(1_000) })

interface Options {
  sessions: Sessions
  gate: SignInGate
  sql: Sql
  baseUrl: string
  singleSignOnName: string | undefined
  shown: ShownSettings
}

export function registerSessionRoutes(face: Face, options: Options) {
  const { sessions, gate, sql, baseUrl, singleSignOnName, shown } = options
  const route = { config: { withoutProject: true }, bodyLimit: SMALL_BODY_BYTES }

  face.get(
    '/session/options',
    {
      ...route,
      ...operation({
        id: 'getSignInOptions',
        summary: 'Say how people can sign in here',
        tags,
        answer: Data(
          Type.Object({
            version: Type.String({ examples: ['0.1.0'] }),
            base_url: Type.String({
              description: 'The address that the server is set up for. With https, nobody can sign in over plain HTTP.',
              examples: ['https://slipway.example.org'],
            }),
            single_sign_on: Nullable(Type.Object({ name: Type.String({ examples: ['Keycloak'] }) })),
          }),
        ),
        ...route.config,
      }),
    },
    async () => ({
      data: {
        version: VERSION,
        base_url: baseUrl,
        single_sign_on: singleSignOnName === undefined ? null : { name: singleSignOnName },
      },
    }),
  )

  face.post(
    '/session',
    {
      ...route,
      ...operation({
        id: 'signIn',
        summary: 'Sign in',
        description: 'Sets the cookie that all other operations need.',
        tags,
        body: Credentials,
        answers: { 201: Data(Session) },
        ...route.config,
      }),
    },
    async (req, reply) => {
      const who = { ip: req.ip, email: req.body.email }
      const answer = await gate.attempt(who, () => sessions.signIn(req.body, clientOf(req)))
      if (answer.status >= 500)
        throw unavailable('sign_in_unavailable', 'Nobody can sign in right now. Try again shortly.')
      if (!answer.ok) throw wrongPassword()
      const cookie = passCookies(answer, reply)
      reply.code(201)
      return { data: await presentSession(sql, (await sessions.find(cookie))!, shown) }
    },
  )

  face.get(
    '/session',
    {
      ...route,
      ...operation({
        id: 'getSession',
        summary: 'Say who is signed in, and their projects',
        description: 'Once a day, it also makes the session last longer.',
        tags,
        answer: Data(Session),
        ...route.config,
      }),
    },
    async (req, reply) => {
      const { person, cookies } = await sessions.renew(req.headers.cookie)
      if (!person) throw signInNeeded()
      if (cookies.length > 0) reply.header('set-cookie', cookies)
      return { data: await presentSession(sql, person, shown) }
    },
  )

  face.delete(
    '/session',
    { ...route, ...operation({ id: 'signOut', summary: 'Sign out', tags, answers: { 204: Empty }, ...route.config }) },
    async (req, reply) => {
      if (req.headers.cookie) passCookies(await sessions.signOut(req.headers.cookie), reply)
      return reply.code(204).send(null)
    },
  )
}

const wrongPassword = () =>
  new AppError(401, 'wrong_password', 'There is nobody with this e-mail address and password. Check both.')

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Sql } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, FilledText, Items, Nullable, named, Time, Uuid } from '../../kernel/http/schema.ts'
import {
  changePassword,
  checkedPassword,
  endSession,
  endSessions,
  hasPassword,
  hasSingleSignOn,
  isPasswordOf,
  listSessionsOf,
  renameUser,
} from '../../product/accounts/index.ts'
import { SMALL_BODY_BYTES } from './session-shape.ts'
import type { SignInGate } from './sign-in-gate.ts'

const tags = ['Account']

const Account = named(
  'Account',
  Type.Object({
    id: Uuid,
    display_name: Type.String({ examples: ['Ada Lovelace'] }),
    email: Type.String({ examples: ['ada@example.org'] }),
    has_password: Type.Boolean({ examples: [true] }),
    has_single_sign_on: Type.Boolean({ description: 'Whether it was used at least once.', examples: [false] }),
  }),
)

const OwnSession = named(
  'OwnSession',
  Type.Object({
    id: Uuid,
    is_this_one: Type.Boolean({ examples: [true] }),
    user_agent: Nullable(Type.String({ examples: ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'] })),
    ip_address: Nullable(Type.String({ examples: ['203.0.113.7'] })),
    created_at: Time,
    last_used_at: Time,
  }),
)

interface Options {
  sql: Sql
  gate: SignInGate
}

/** What people change about themselves. */
export function registerAccountRoutes(face: Face, { sql, gate }: Options) {
  const route = { config: { ofPerson: true }, bodyLimit: SMALL_BODY_BYTES }
  const ctxOf = (req: FastifyRequest) => {
    const { userId } = req.signedIn!
    return { db: sql, requestId: req.id, actor: { origin: 'user' as const, userId } }
  }

  face.get(
    '/account',
    {
      ...route,
      ...operation({ id: 'getAccount', summary: 'Say how you sign in', tags, answer: Data(Account), ...route.config }),
    },
    async (req) => {
      const { userId, name, email } = req.signedIn!
      const [has_password, has_single_sign_on] = await Promise.all([
        hasPassword(sql, userId),
        hasSingleSignOn(sql, userId),
      ])
      return { data: { id: userId, display_name: name, email, has_password, has_single_sign_on } }
    },
  )

  face.patch(
    '/account',
    {
      ...route,
      ...operation({
        id: 'renameAccount',
        summary: 'Change your name',
        tags,
        body: Type.Object({ display_name: FilledText(200, { examples: ['Ada Lovelace'] }) }),
        answer: Data(Type.Object({ display_name: Type.String({ examples: ['Ada Lovelace'] }) })),
        ...route.config,
      }),
    },
    async (req) => {
      const { userId } = req.signedIn!
      return { data: { display_name: await renameUser(ctxOf(req), userId, req.body.display_name) } }
    },
  )

  face.post(
    '/account/password',
    {
      ...route,
      ...operation({
        id: 'changePassword',
        summary: 'Change your password',
        description: 'Ends your other sessions. Wrong current passwords count like those at sign-in.',
        tags,
        body: Type.Object({ current_password: FilledText(1_000), password: FilledText(1_000) }),
        answer: Data(Type.Object({ sessions_ended: Type.Integer({ examples: [2] }) })),
        ...route.config,
      }),
    },
    async (req) => {
      const { userId, sessionId, name, email } = req.signedIn!
      const user = { id: userId, name, email }
      const { current_password: current, password } = req.body
      await checkedPassword(password, user)
      const answer = await gate.attempt({ ip: req.ip, email }, async () =>
        (await isPasswordOf(sql, userId, current)) ? new Response() : new Response(null, { status: 401 }),
      )
      if (!answer.ok) throw wrongPresentPassword()
      const ended = await changePassword(ctxOf(req), { user, sessionId, password })
      return { data: { sessions_ended: ended } }
    },
  )

  face.get(
    '/account/sessions',
    {
      ...route,
      ...operation({
        id: 'listSessions',
        summary: 'List where you are signed in',
        tags,
        answer: Items(OwnSession),
        ...route.config,
      }),
    },
    async (req) => {
      const { userId, sessionId } = req.signedIn!
      const rows = await listSessionsOf(sql, userId)
      return { items: rows.map((row) => ({ ...row, is_this_one: row.id === sessionId })) }
    },
  )

  face.delete(
    '/account/sessions',
    {
      ...route,
      ...operation({
        id: 'endSessions',
        summary: 'Sign out everywhere',
        description: 'Ends all your sessions, this one included.',
        tags,
        answers: { 204: Empty },
        ...route.config,
      }),
    },
    async (req, reply) => {
      await endSessions(ctxOf(req), req.signedIn!.userId)
      return reply.code(204).send(null)
    },
  )

  face.delete(
    '/account/sessions/:session_id',
    {
      ...route,
      ...operation({
        id: 'endSession',
        summary: 'Sign out one session',
        tags,
        params: Type.Object({ session_id: Uuid }),
        answers: { 204: Empty },
        ...route.config,
      }),
    },
    async (req, reply) => {
      await endSession(ctxOf(req), req.signedIn!.userId, req.params.session_id)
      return reply.code(204).send(null)
    },
  )
}

const wrongPresentPassword = () =>
  new AppError(403, 'wrong_password', 'This is not your current password.', {
    extra: { errors: [{ pointer: '/current_password', detail: 'This is not your current password.' }] },
  })

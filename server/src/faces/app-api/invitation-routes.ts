import { Type } from 'typebox'
import type { Sql } from '../../kernel/database/index.ts'
import { AppError, invalid } from '../../kernel/errors.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, FilledText, Nullable, named, OneOf, Time, Uuid } from '../../kernel/http/schema.ts'
import { checkedAddress, checkedName, checkedPassword, findUserByEmail, hashOf } from '../../product/accounts/index.ts'
import { type Acting, acceptInvitation, acceptInvitationAs, loadInvitation } from '../../product/projects/index.ts'
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
/** In a body rather than in a path, which logs would keep. */
const Token = FilledText(200, { description: 'The last part of the link.' })

const OpenedInvitation = named(
  'OpenedInvitation',
  Type.Object({
    project: Type.Object({ name: Type.String({ examples: ['Harbor Checkout'] }) }),
    organization: Type.Object({ name: Type.String({ examples: ['Harbor'] }) }),
    invited_by: Type.Object({ display_name: Type.String({ examples: ['Ada Lovelace'] }) }),
    role: OneOf(['admin', 'editor', 'viewer']),
    email: Nullable(Type.String({ examples: ['hedy@example.org'] })),
    has_account: Type.Boolean({
      description: 'Whether the named address can sign in. False if no address is named.',
      examples: [false],
    }),
    expires_at: Time,
  }),
)

interface Options {
  sessions: Sessions
  gate: SignInGate
  acting: Acting<Sql>
  shown: ShownSettings
}

/** What an invite link opens, for people who may not have an account yet. */
export function registerInvitationRoutes(face: Face, options: Options) {
  const { sessions, gate, acting, shown } = options
  const route = { config: { withoutProject: true, reads: true, refuses: [404, 410] }, bodyLimit: SMALL_BODY_BYTES }

  face.post(
    '/invitations/open',
    {
      ...route,
      ...operation({
        id: 'openInvitation',
        summary: 'Say what an invite link is for',
        tags,
        body: Type.Object({ token: Token }),
        answer: Data(OpenedInvitation),
        ...route.config,
      }),
    },
    async (req) => {
      const found = await gate.guess(req.ip, () => loadInvitation(acting.db, req.body.token))
      const account = found.email === null ? undefined : await findUserByEmail(acting.db, found.email)
      return {
        data: {
          project: { name: found.project },
          organization: { name: found.organization },
          invited_by: { display_name: found.inviter },
          role: found.role,
          email: found.email,
          has_account: account !== undefined,
          expires_at: found.expires_at,
        },
      }
    },
  )

  face.post(
    '/invitations/accept',
    {
      bodyLimit: SMALL_BODY_BYTES,
      ...operation({
        id: 'acceptInvitation',
        summary: 'Accept an invitation',
        description:
          'Someone who is signed in sends the token only. Others also send who they are and a password, and are then signed in.',
        tags,
        body: Type.Object({
          token: Token,
          newcomer: Type.Optional(
            Type.Object({
              display_name: FilledText(200),
              email: FilledText(320),
              password: FilledText(1_000),
            }),
          ),
        }),
        answers: { 201: Data(Type.Object({ project_id: Uuid, session: Session })) },
        ...route.config,
        reads: false,
        refuses: [404, 409, 410],
      }),
    },
    async (req, reply) => {
      const { token, newcomer } = req.body
      const invitation = await gate.guess(req.ip, () => loadInvitation(acting.db, token))
      let person = await sessions.find(req.headers.cookie)
      if (person && !newcomer) {
        await acceptInvitation(acting, invitation, { id: person.userId, name: person.name, email: person.email })
      } else if (newcomer) {
        const { email, password } = newcomer
        await checkNewcomer(newcomer)
        const passwordHash = await gate.guess(req.ip, (hash) => hash(() => hashOf(password)))
        const known = { name: newcomer.display_name, email, passwordHash }
        await acceptInvitationAs(acting, invitation, known)
        const answer = await sessions.signIn({ email: checkedAddress(email), password }, clientOf(req))
        person = await sessions.find(passCookies(answer, reply))
      } else throw whoAreYou()
      reply.code(201)
      return {
        data: {
          project_id: invitation.project_id,
          session: await presentSession(acting.db, person!, shown),
        },
      }
    },
  )
}

/** Names every field that is wrong, as the form shows them. */
async function checkNewcomer(newcomer: { display_name: string; email: string; password: string }): Promise<void> {
  const checks = {
    '/newcomer/display_name': () => checkedName(newcomer.display_name),
    '/newcomer/email': () => checkedAddress(newcomer.email),
    '/newcomer/password': () =>
      checkedPassword(newcomer.password, { name: newcomer.display_name, email: newcomer.email }),
  }
  const errors: { pointer: string; detail: string }[] = []
  for (const [pointer, check] of Object.entries(checks)) {
    try {
      await check()
    } catch (err) {
      const [first] = (err as AppError).extra.errors as { detail: string }[]
      errors.push({ pointer, detail: first!.detail })
    }
  }
  if (errors.length > 0) throw invalid(errors)
}

const whoAreYou = () => new AppError(401, 'not_signed_in', 'Sign in first, or say who you are in "newcomer".')

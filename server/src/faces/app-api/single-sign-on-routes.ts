import { Type } from 'typebox'
import type { Sql } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { clientNetwork } from '../../kernel/http/clients/client-network.ts'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, FilledText } from '../../kernel/http/schema.ts'
import { createMinuteCounts } from '../../kernel/minute-counts.ts'
import { loadInvitation } from '../../product/projects/index.ts'
import { clientOf, passCookies, SMALL_BODY_BYTES } from './session-shape.ts'
import type { SignInGate } from './sign-in-gate.ts'
import type { SingleSignOn } from './single-sign-on.ts'

const tags = ['Session']
const MAX_STARTS_PER_MINUTE = 60
/**
 * A path that no browser takes for another host: browsers remove tabs and line breaks and take a backslash for a slash.
 * The library refuses the rest, too, with an error that tells the person nothing.
 */
const OWN_PATH = '^/(?!/)(?:(?!%2[fF]|%5[cC])[^\\\\?#\\x00-\\x1f\\x7f-\\x9f])*(?:[?#][^\\\\\\x00-\\x1f\\x7f-\\x9f]*)?$'

interface Options {
  sql: Sql
  gate: SignInGate
  singleSignOn: SingleSignOn | undefined
}

/** The way to the identity provider and back. */
export function registerSingleSignOnRoutes(face: Face, { sql, gate, singleSignOn }: Options) {
  const counts = createMinuteCounts()
  const route = { config: { withoutProject: true, refuses: [404, 410, 503] }, bodyLimit: SMALL_BODY_BYTES }
  const load = () => {
    if (!singleSignOn) throw new AppError(404, 'no_single_sign_on', 'This server has no single sign-on.')
    return singleSignOn
  }

  face.post(
    '/session/single_sign_on',
    {
      ...route,
      ...operation({
        id: 'startSingleSignOn',
        summary: 'Sign in at the identity provider',
        description: 'Answers with the address to send the browser to, and sets a cookie that the way back needs.',
        tags,
        body: Type.Object({
          next: Type.Optional(
            FilledText(2_000, {
              pattern: OWN_PATH,
              description: 'The path to open afterwards.',
              examples: ['/'],
            }),
          ),
          invitation_token: Type.Optional(FilledText(200, { description: 'An invitation to accept on the way.' })),
        }),
        answer: Data(Type.Object({ url: Type.String({ examples: ['https://id.example.org/authorize?…'] }) })),
        ...route.config,
      }),
    },
    async (req, reply) => {
      const provider = load()
      const waitSeconds = counts.take([{ name: clientNetwork(req.ip), limit: MAX_STARTS_PER_MINUTE }])
      if (waitSeconds > 0) throw tooMany(waitSeconds)
      const { next = '/', invitation_token: token } = req.body
      const invitation = token && (await gate.guess(req.ip, () => loadInvitation(sql, token)))
      const paths = invitation
        ? { next: `/p/${invitation.project_id}`, failed: `/invite/${token}` }
        : { next, failed: '/sign-in' }
      const { url, answer } = await provider.start(paths, invitation ? invitation.id : undefined)
      passCookies(answer, reply)
      return { data: { url } }
    },
  )

  // The provider sends the browser here. Nobody calls it, so it is in no description.
  face.get(
    '/auth/callback/oidc',
    {
      ...route,
      exposeHeadRoute: false,
      schema: { response: { 302: Empty } },
    },
    async (req, reply) => {
      const query = req.url.indexOf('?')
      const search = query < 0 ? '' : req.url.slice(query)
      const { location, answer } = await load().finish(search, req.headers.cookie, clientOf(req))
      passCookies(answer, reply)
      return reply.code(302).header('location', location).send(null)
    },
  )
}

const tooMany = (seconds: number) =>
  new AppError(429, 'too_many_tries', `Too many tries to sign in. Wait ${seconds} s and try again.`, {
    headers: { 'retry-after': String(seconds) },
  })

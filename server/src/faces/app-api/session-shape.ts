import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Sql } from '../../kernel/database/index.ts'
import { named, OneOf, Uuid } from '../../kernel/http/schema.ts'
import { listProjectsOf } from '../../product/projects/index.ts'
import { formatMoment } from './live/position.ts'
import { findMoment } from './live/queries.ts'
import type { Client, SignedIn } from './sessions.ts'

export const Session = named(
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
    position: Type.String({
      description:
        'Where the streams of changes are now. A stream with this as `last_event_id` leaves out nothing that changed after this answer.',
      examples: ['x4711'],
    }),
    upload_limit_bytes: Type.Integer({
      description: 'The largest file that can be uploaded.',
      examples: [104857600],
    }),
  }),
)

export const presentSession = async (sql: Sql, person: SignedIn, uploadLimitBytes: number) => ({
  user: { id: person.userId, display_name: person.name, email: person.email },
  projects: await listProjectsOf(sql, person.userId),
  position: formatMoment(await findMoment(sql)),
  upload_limit_bytes: uploadLimitBytes,
})

/** Anyone may send a body here, so the limit allows just names, an e-mail address and passwords. */
export const SMALL_BODY_BYTES = 4 * 1024

export const clientOf = (req: FastifyRequest): Client => ({ ip: req.ip, userAgent: req.headers['user-agent'] })

/** Passes the cookies of the library on. Returns them as a browser would send them back. */
export function passCookies(answer: Response, reply: FastifyReply): string {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return cookies.map((one) => one.split(';', 1)[0]).join('; ')
}

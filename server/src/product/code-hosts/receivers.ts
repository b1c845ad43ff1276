import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Log } from '../../kernel/context.ts'
import { forProject, inTransaction, type Sql } from '../../kernel/database/index.ts'
import { AppError, malformed, quoted } from '../../kernel/errors.ts'
import { readBody } from '../../kernel/http/bodies/read-body.ts'
import { createAddressLimit } from '../../kernel/http/clients/address-limit.ts'
import { OneOf } from '../../kernel/http/schema.ts'
import { unseal } from '../../kernel/sealing.ts'
import type { Wiring } from '../../kernel/slice.ts'
import { isUuid } from '../../kernel/uuid.ts'
import { operatorCtx } from '../projects/index.ts'
import { CODE_HOST_KINDS, type CodeHostKind } from './code-host.ts'
import { readGithub } from './github.ts'
import { readGitlab } from './gitlab.ts'
import type { Payload } from './happening.ts'
import { findReceiver, insertReceipt, type Receiver, touchCodeHost } from './queries.ts'
import { applyHappening } from './receiving.ts'
import { deliveryIdOf, isSigned, mayBeSigned } from './signatures.ts'

const BODY_LIMIT_BYTES = 5 * 1024 * 1024
/** Deliveries per minute to one code host from one address. */
const MAX_PER_MINUTE = 600
/** Per minute and address. Those with the right signature do not count, because one address may serve many projects. */
const MAX_REFUSED_PER_MINUTE = 600

const STATUSES = ['applied', 'repeated', 'ignored'] as const
const Received = Type.Object({ status: OneOf(STATUSES) })

interface ReceiverDeps {
  sql: Sql
  wiring: Wiring
  log: Log
}

interface Admitted {
  host: Receiver
  secret: string
  body: Buffer
}

/**
 * Where the hosts send what happens. The signature of a request is all that admits it. A body is read only for a code host
 * that exists, and only if the request carries a signature.
 */
export function registerCodeHostReceivers(scope: FastifyInstance, deps: ReceiverDeps): void {
  const deliveries = createAddressLimit(MAX_PER_MINUTE, tooMany)
  const refused = createAddressLimit(MAX_REFUSED_PER_MINUTE, tooMany)
  // The signature is that of the bytes, so they are not parsed before it is checked.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(['application/json', 'application/x-www-form-urlencoded'], (req, payload, done) =>
    readBody(req, payload, (err, body) => {
      ;(req.prepared as Admitted).body = body
      done(err, {})
    }),
  )

  async function admit(kind: CodeHostKind, req: FastifyRequest): Promise<Admitted> {
    refused.take(req.ip)
    const { code_host_id: id } = req.params as { code_host_id: string }
    const host = isUuid(id) ? await findReceiver(deps.sql, kind, id) : undefined
    if (!host) throw notSigned()
    deliveries.take(req.ip, host.id)
    const secret = unseal(await deps.wiring.settings.secretKey(), host.id, host.sealedSecret)
    if (secret === undefined || !mayBeSigned(kind, req.headers, secret)) throw notSigned()
    return { host, secret, body: Buffer.alloc(0) }
  }

  for (const kind of CODE_HOST_KINDS)
    scope.post(
      `/${kind}/:code_host_id`,
      {
        bodyLimit: BODY_LIMIT_BYTES,
        schema: { response: { 200: Received } },
        onRequest: async (req) => {
          const admitted = await admit(kind, req)
          req.prepared = admitted
          req.bodyHolder = `code host ${admitted.host.id}`
        },
      },
      async (req) => {
        const { host, secret, body } = req.prepared as Admitted
        const received = { headers: req.headers, body }
        if (!isSigned(kind, received, secret)) throw notSigned()
        refused.giveBack(req.ip)
        const payload = parse(body, req.headers['content-type'])
        return { status: await receive(deps, host, deliveryIdOf(kind, received), read(kind, req.headers, payload)) }
      },
    )
}

function read(kind: CodeHostKind, headers: Record<string, unknown>, payload: Payload) {
  return kind === 'github' ? readGithub(String(headers['x-github-event']), payload) : readGitlab(payload)
}

function receive(
  { sql, wiring, log }: ReceiverDeps,
  host: Receiver,
  deliveryId: string,
  happening: ReturnType<typeof read>,
): Promise<(typeof STATUSES)[number]> {
  const { projectId, organizationId } = host
  const db = forProject(sql, projectId)
  const ctx = operatorCtx({ db, wiring, log }, { id: projectId, name: '', organizationId })
  return inTransaction(ctx, async (ctx) => {
    // The body took its time. The project may be deleted by now, or the secret rotated.
    const now = await findReceiver(ctx.db, host.kind, host.id)
    if (now?.sealedSecret !== host.sealedSecret) throw notSigned()
    await touchCodeHost(ctx.db, host)
    if (!happening) return 'ignored'
    if (!(await insertReceipt(ctx.db, host, deliveryId))) return 'repeated'
    await applyHappening(ctx, now, happening)
    return 'applied'
  })
}

function parse(body: Buffer, type: string | undefined): Payload {
  const text = body.toString('utf8')
  let payload: unknown
  try {
    payload = JSON.parse(type?.startsWith('application/json') ? text : (new URLSearchParams(text).get('payload') ?? ''))
  } catch {
    throw malformed('malformed_json', 'The body is not JSON, nor a form with JSON in "payload".')
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw malformed('malformed_json', `The body must contain a JSON object, not ${quoted(payload)}.`)
  return payload
}

/** The same for a receiver that does not exist. */
const notSigned = () =>
  new AppError(401, 'bad_signature', 'The signature is missing or wrong. Check the secret and the address.')

const tooMany = (seconds: number) => `Too many deliveries within a minute. Wait ${seconds} s and send it again.`

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Log } from '../kernel/context.ts'
import { forProject, inTransaction, type Sql } from '../kernel/database/index.ts'
import { AppError, malformed } from '../kernel/errors.ts'
import { DEFAULT_DEADLINES } from '../kernel/http/bodies/deadlines.ts'
import { readBody } from '../kernel/http/bodies/read-body.ts'
import { clientNetwork } from '../kernel/http/clients/client-network.ts'
import { OneOf } from '../kernel/http/schema.ts'
import { createMinuteCounts } from '../kernel/minute-counts.ts'
import { unseal } from '../kernel/sealing.ts'
import type { Wiring } from '../kernel/slice.ts'
import { operatorCtx } from '../projects/index.ts'
import { CODE_HOST_KINDS, type CodeHostKind } from './code-host.ts'
import { readGithub } from './github.ts'
import { readGitlab } from './gitlab.ts'
import type { Payload } from './happening.ts'
import { findReceiver, insertReceipt, type Receiver } from './queries.ts'
import { applyHappening } from './receiving.ts'
import { deliveryIdOf, isSigned } from './signatures.ts'

const BODY_LIMIT_BYTES = 5 * 1024 * 1024
const MAX_PER_MINUTE = 600
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const STATUSES = ['applied', 'repeated', 'ignored'] as const
const Received = Type.Object({ status: OneOf(STATUSES) })

interface ReceiverDeps {
  sql: Sql
  wiring: Wiring
  log: Log
}

/** Where the hosts send what happens. The signature of a request is all that admits it. */
export function registerCodeHostReceivers(scope: FastifyInstance, deps: ReceiverDeps): void {
  const counts = createMinuteCounts()
  // The signature is that of the bytes, so they are not parsed before it is checked.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(['application/json', 'application/x-www-form-urlencoded'], (req, payload, done) =>
    readBody(req, payload, DEFAULT_DEADLINES, (err, body) => {
      req.prepared = body
      done(err, {})
    }),
  )
  for (const kind of CODE_HOST_KINDS)
    scope.post(
      `/${kind}/:code_host_id`,
      { bodyLimit: BODY_LIMIT_BYTES, schema: { response: { 200: Received } } },
      async (req) => {
        const { code_host_id: id } = req.params as { code_host_id: string }
        const seconds = counts.take([{ name: `${id} ${clientNetwork(req.ip)}`, limit: MAX_PER_MINUTE }])
        if (seconds > 0) throw tooMany(seconds)
        const host = UUID.test(id) ? await findReceiver(deps.sql, kind, id) : undefined
        const received = { headers: req.headers, body: (req.prepared as Buffer | undefined) ?? Buffer.alloc(0) }
        const secret = host && unseal(await deps.wiring.settings.secretKey(), host.id, host.sealedSecret)
        if (!host || secret === undefined || !isSigned(kind, received, secret)) throw notSigned()
        const payload = parse(received.body, req.headers['content-type'])
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
    if (!(await insertReceipt(ctx.db, host, deliveryId))) return 'repeated'
    if (!happening) return 'ignored'
    await applyHappening(ctx, host, happening)
    return 'applied'
  })
}

function parse(body: Buffer, type: string | undefined): Payload {
  const text = body.toString('utf8')
  try {
    return JSON.parse(type?.startsWith('application/json') ? text : (new URLSearchParams(text).get('payload') ?? ''))
  } catch {
    throw malformed('malformed_json', 'The body is not JSON, nor a form with JSON in "payload".')
  }
}

/** The same for a receiver that does not exist. */
const notSigned = () =>
  new AppError(401, 'bad_signature', 'The signature is missing or wrong. Check the secret and the address.')

const tooMany = (seconds: number) =>
  new AppError(429, 'rate_limited', `Too many deliveries within a minute. Wait ${seconds} s and send it again.`, {
    headers: { 'retry-after': String(seconds) },
  })

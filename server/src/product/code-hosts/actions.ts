import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { seal } from '../../kernel/sealing.ts'
import { generateSigningSecret } from '../../kernel/standard-webhooks.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { authorizeCodeHosts, type Code, type CodeHost, type CodeHostKind } from './code-host.ts'
import { codeHostEvents } from './events.ts'
import * as queries from './queries.ts'

const MAX_CODE_HOSTS = 50

export interface CodeHostChange {
  name?: string | undefined
  reviewsOpened?: boolean | undefined
  completesMerged?: boolean | undefined
  /** One that the host has made. */
  secret?: string | undefined
}

export function listCodeHosts(ctx: Ctx): Promise<CodeHost[]> {
  authorizeCodeHosts(ctx.actor)
  return queries.listCodeHosts(ctx.db, ctx.actor.projectId)
}

interface NewCodeHost extends CodeHostChange {
  kind: CodeHostKind
  name: string
}

/**
 * The secret cannot be seen again. GitLab takes it as a secret token and, because of its format, as a signing token, too.
 */
export async function addCodeHost(ctx: Ctx, wanted: NewCodeHost): Promise<{ host: CodeHost; secret: string }> {
  authorizeCodeHosts(ctx.actor)
  const { kind, name, reviewsOpened = false, completesMerged = false, secret = generateSigningSecret() } = wanted
  const id = uuidv7()
  const sealedSecret = await sealSecret(ctx, id, secret)
  const host = await inTransaction(ctx, async (ctx) => {
    const { projectId, userId: createdBy } = ctx.actor
    if ((await queries.listCodeHosts(ctx.db, projectId)).length >= MAX_CODE_HOSTS)
      throw conflict('too_many_code_hosts', `A project has at most ${MAX_CODE_HOSTS} code hosts. Remove one first.`)
    const values = { id, kind, name, sealedSecret, reviewsOpened, completesMerged, createdBy }
    const added = await queries.insertCodeHost(ctx.db, projectId, values)
    await recordHost(ctx, 'created', added)
    return added
  })
  return { host, secret }
}

export async function changeCodeHost(ctx: Ctx, id: string, change: CodeHostChange): Promise<CodeHost> {
  const sealedSecret = change.secret === undefined ? undefined : await sealSecret(ctx, id, change.secret)
  return inTransaction(ctx, async (ctx) => {
    const before = await lockCodeHost(ctx, id)
    const {
      name = before.name,
      reviewsOpened = before.reviewsOpened,
      completesMerged = before.completesMerged,
    } = change
    const values = { name, reviewsOpened, completesMerged, sealedSecret }
    const after = await queries.updateCodeHost(ctx.db, ctx.actor.projectId, id, values)
    await recordHost(ctx, 'updated', after)
    return after
  })
}

/** The old secret stops at once. */
export async function rotateSecret(ctx: Ctx, id: string): Promise<{ host: CodeHost; secret: string }> {
  const secret = generateSigningSecret()
  return { host: await changeCodeHost(ctx, id, { secret }), secret }
}

export function removeCodeHost(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const host = await lockCodeHost(ctx, id)
    await queries.deleteCodeHost(ctx.db, ctx.actor.projectId, id)
    await recordHost(ctx, 'deleted', host)
  })
}

export async function listCode(ctx: Ctx, workOrderId: string): Promise<Code[]> {
  const { db, actor } = ctx
  if (!(await queries.hasWorkOrder(db, actor.projectId, workOrderId))) throw notFound('work order', workOrderId)
  return queries.listCodeOfWorkOrder(db, actor.projectId, workOrderId)
}

async function lockCodeHost(ctx: TxCtx, id: string): Promise<CodeHost> {
  authorizeCodeHosts(ctx.actor)
  const host = await queries.lockCodeHost(ctx.db, ctx.actor.projectId, id)
  if (!host) throw notFound('code host', id)
  return host
}

const sealSecret = async (ctx: Ctx, id: string, secret: string) =>
  seal(await ctx.wiring.settings.secretKey(), id, secret)

const recordHost = (ctx: TxCtx, what: keyof typeof codeHostEvents, { id, kind, name }: CodeHost) =>
  recordEvent(ctx, codeHostEvents[what](id, { kind, name }))

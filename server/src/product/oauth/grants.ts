import { hash } from 'node:crypto'
import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { type Db, inTransaction } from '../../kernel/database/index.ts'
import { recordEvent, recordEvents } from '../../kernel/events.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { authorizeManagement, memberCtx } from '../projects/index.ts'
import { appEvents } from './events.ts'
import type { Resource, Scope } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'
import * as queries from './queries.ts'
import type { AuthorizationRequest } from './request.ts'
import { generateToken, hashToken, LIFETIME_SECONDS, type TokenKind } from './token.ts'

/** A person lets a program act as them in the project of the context. Returns the address that hands it the code. */
export function allowApp(ctx: Ctx, request: AuthorizationRequest, scope: Scope): Promise<string> {
  return inTransaction(ctx, async (ctx) => {
    const grant = await queries.insertGrant(ctx.db, ctx.actor.projectId, {
      id: uuidv7(),
      user_id: ctx.actor.userId!,
      client_id: request.client.id,
      client_name: request.client.name,
      redirect_uri: request.redirectUri,
      code_challenge: request.codeChallenge,
      resource: request.resource,
      scope,
    })
    await queries.markClientUsed(ctx.db, request.client.id)
    await recordEvent(ctx, appEvents.added(grant.id, payloadOf(grant)))
    return request.answer({ code: await issue(ctx.db, grant, 'code') })
  })
}

/** Ends what a person allowed. Returns false if there is no such thing. */
export function removeApp(deps: JobDeps, userId: string, id: string, requestId: string): Promise<boolean> {
  return inTransaction(deps, async (deps) => {
    const grant = await queries.findGrantOf(deps.db, userId, id)
    if (!grant) return false
    await endGrant({ ...deps, requestId }, grant, 'user', 'removed')
    return true
  })
}

/** Ends the access of an app to the project of the context. Returns false if no app there has the id. */
export function endApp(ctx: Ctx, id: string): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const grant = await queries.lockGrant(ctx.db, ctx.actor.projectId, id)
    if (!grant) return false
    if (grant.user_id !== ctx.actor.userId) authorizeManagement(ctx.actor)
    const [ended] = await queries.endGrants(ctx.db, grant.project_id, [id])
    if (ended) await recordEvent(ctx, appRemoved(ended, 'removed'))
    return true
  })
}

/** For a member who leaves. Runs in the transaction that removes them. */
export async function endGrantsOf(ctx: TxCtx, userId: string): Promise<void> {
  const ids = await queries.listGrantIdsOf(ctx.db, ctx.actor.projectId, userId)
  if (ids.length === 0) return
  const ended = await queries.endGrants(ctx.db, ctx.actor.projectId, ids)
  await recordEvents(
    ctx,
    ended.map((grant) => appRemoved(grant, 'member_removed')),
  )
}

export interface TokenDeps extends JobDeps {
  requestId: string
}

interface Exchange {
  clientId: string
  /** As in the request. Undefined if it does not say. */
  resource: Resource | undefined
}

/** Exchanges a code. Whoever comes with a code but not with what belongs to it has stolen it, so it is worth nothing then. */
export const redeemCode = (
  deps: TokenDeps,
  code: string,
  { clientId, resource, redirectUri, verifier }: Exchange & { redirectUri: string | undefined; verifier: string },
) =>
  exchange(
    deps,
    { token: code, kind: 'code', clientId, resource },
    (grant) =>
      grant.client_id === clientId &&
      (redirectUri ?? grant.redirect_uri) === grant.redirect_uri &&
      hash('sha256', verifier, 'base64url') === grant.code_challenge,
  )

/** Exchanges a refresh token for the next one. */
export const refreshTokens = (deps: TokenDeps, token: string, { clientId, resource }: Exchange) =>
  exchange(deps, { token, kind: 'refresh', clientId, resource }, (grant) => grant.client_id === clientId)

/**
 * Each code and refresh token works once. If one comes twice, somebody else has it, and nobody can tell who: everything
 * that came of it ends.
 */
async function exchange(
  deps: TokenDeps,
  { token, kind, clientId, resource }: Exchange & { token: string; kind: 'code' | 'refresh' },
  isTheirs: (grant: queries.GrantRow) => boolean,
) {
  const sha256 = hashToken(token)
  // A refusal must not undo the end of the grant, so it is thrown after the transaction.
  const issued = await inTransaction(deps, async (deps) => {
    const found = await queries.lockToken(deps.db, sha256)
    if (!found || found.kind !== kind || found.ended_at !== null || (found.is_expired && !found.is_used))
      return undefined
    if (found.is_used || !isTheirs(found)) {
      await endGrant(deps, found, 'mcp', found.is_used ? 'token_reused' : 'token_stolen')
      return undefined
    }
    if (resource !== undefined && resource !== found.resource)
      throw new OAuthError('invalid_target', `The person allowed "${found.resource}", not "${resource}".`)
    if (!(await memberCtx(deps, asMember(found, 'mcp'), deps.requestId))) return undefined
    await queries.markTokenUsed(deps.db, sha256)
    if (kind === 'code') {
      await queries.markGrantRedeemed(deps.db, found)
      await queries.endGrants(deps.db, found.project_id, await queries.listEarlierGrantIds(deps.db, found))
    } else await queries.deleteAccessTokens(deps.db, found)
    await queries.markClientUsed(deps.db, found.client_id)
    return {
      access_token: await issue(deps.db, found, 'access'),
      token_type: 'Bearer',
      expires_in: LIFETIME_SECONDS.access,
      refresh_token: await issue(deps.db, found, 'refresh'),
      scope: found.scope,
    }
  })
  if (issued) return issued
  // A program whose registration is gone learns it here, and registers again.
  if (!(await queries.findClient(deps.db, clientId)))
    throw new OAuthError('invalid_client', 'This program is not known. Register it again.', 401)
  throw new OAuthError(
    'invalid_grant',
    'This code or token is unknown, expired, used or not yours. Ask the person again.',
  )
}

/** RFC 7009. A token that is unknown, or of another program, is none of the caller's business. */
export function revokeToken(deps: TokenDeps, token: string, clientId: string): Promise<void> {
  return inTransaction(deps, async (deps) => {
    const found = await queries.lockToken(deps.db, hashToken(token))
    if (found?.client_id === clientId) await endGrant(deps, found, 'mcp', 'app')
  })
}

async function issue(db: Db, grant: queries.GrantRow, kind: TokenKind): Promise<string> {
  const token = generateToken(kind)
  await queries.insertToken(db, grant, kind, hashToken(token))
  return token
}

const asMember = (grant: queries.GrantRow, origin: 'user' | 'mcp') => ({
  projectId: grant.project_id,
  userId: grant.user_id,
  origin,
})

async function endGrant(
  deps: TokenDeps & { db: TxCtx['db'] },
  grant: queries.GrantRow,
  origin: 'user' | 'mcp',
  reason: string,
): Promise<void> {
  const [ended] = await queries.endGrants(deps.db, grant.project_id, [grant.id])
  const ctx = await memberCtx(deps, asMember(grant, origin), deps.requestId)
  if (ended && ctx) await recordEvent(ctx, appRemoved(ended, reason))
}

const payloadOf = ({ client_name: name, user_id, scope }: queries.GrantRow) => ({ name, user_id, scope })

const appRemoved = (grant: queries.GrantRow, reason: string) =>
  appEvents.removed(grant.id, { ...payloadOf(grant), reason })

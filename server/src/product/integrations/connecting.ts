import type { Ctx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { seal } from '../../kernel/sealing.ts'
import { addIntegration, draftConnection, type NewIntegration } from './actions.ts'
import { type ForeignTool, openIntegration } from './client.ts'
import { integrationEvents } from './events.ts'
import { recordHealth } from './health-queries.ts'
import { type Connection, type Integration, IntegrationFailure } from './integration.ts'
import { findConnections, replaceToken } from './queries.ts'

export interface Tested extends Integration {
  tools: ForeignTool[]
}

/** Connects an MCP server for the caller, once it has answered and listed its tools. */
export async function connectIntegration(ctx: Ctx, wanted: NewIntegration): Promise<Tested> {
  const draft = await draftConnection(ctx, wanted)
  const tools = await listToolsOf(ctx, draft)
  const added = await addIntegration(ctx, ctx.actor.userId!, wanted)
  await recordHealth(ctx.db, ctx.actor.projectId, added.id, { tools })
  return { ...added, tools }
}

/** Calls an integration of the caller and lists its tools. */
export async function testIntegration(ctx: Ctx, id: string): Promise<Tested> {
  const connection = await loadOwnConnection(ctx, id)
  const { projectId } = ctx.actor
  const tools = await listToolsOf(ctx, connection).catch(async (err: unknown) => {
    if (err instanceof AppError) await recordHealth(ctx.db, projectId, id, { fault: err.message })
    throw err
  })
  await recordHealth(ctx.db, projectId, id, { tools })
  return { id, displayName: connection.displayName, tools }
}

/** Replaces the token of an integration of the caller, once the server has accepted the new one. */
export async function reconnectIntegration(ctx: Ctx, id: string, token: string | undefined): Promise<Tested> {
  const known = await loadOwnConnection(ctx, id)
  const sealedToken = token ? seal(await ctx.wiring.settings.secretKey(), id, token) : null
  const tools = await listToolsOf(ctx, { ...known, sealedToken })
  await inTransaction(ctx, async (ctx) => {
    await replaceToken(ctx.db, ctx.actor.projectId, id, sealedToken)
    await recordHealth(ctx.db, ctx.actor.projectId, id, { tools })
    const payload = { title: known.displayName }
    await recordEvent(ctx, integrationEvents.reconnected(id, payload))
  })
  return { id, displayName: known.displayName, tools }
}

async function loadOwnConnection(ctx: Ctx, id: string): Promise<Connection> {
  const [connection] = await findConnections(ctx.db, ctx.actor.projectId, ctx.actor.userId!, [id])
  if (!connection) throw notFound('integration', id)
  return connection
}

const TEST_WITHIN_MS = 30_000

async function listToolsOf(ctx: Ctx, connection: Connection): Promise<ForeignTool[]> {
  try {
    const open = await openIntegration(ctx, connection, AbortSignal.timeout(TEST_WITHIN_MS))
    await open.close()
    return open.tools
  } catch (err) {
    if (err instanceof IntegrationFailure) throw new AppError(409, 'integration_failed', err.message)
    if ((err as Error).name === 'TimeoutError')
      throw new AppError(
        409,
        'integration_failed',
        `The integration "${connection.displayName}" cannot be used: it did not answer within ${TEST_WITHIN_MS / 1_000} s.`,
      )
    throw err
  }
}

/** Records that an agent has called a tool which may change something outside. */
export const recordCall = (ctx: Ctx, { id, displayName }: Integration, tool: string): Promise<void> =>
  inTransaction(ctx, (ctx) =>
    recordEvent(ctx, integrationEvents.called(id, { title: `${displayName}: ${tool}`, tool })),
  )

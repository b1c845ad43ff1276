import { isLongerThan } from '../../engines/text/characters.ts'
import type { Ctx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { conflict, invalid, notFound, quoted } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { isCleanText } from '../../kernel/http/validation.ts'
import { seal } from '../../kernel/sealing.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { findMember } from '../projects/index.ts'
import { integrationEvents } from './events.ts'
import { type Connection, type Integration, nameTaken } from './integration.ts'
import * as queries from './queries.ts'
import { integrationSettings } from './settings.ts'

/** Lists what a member has connected in this project, by default the caller. */
export function listIntegrations(ctx: Ctx, ownerId = ctx.actor.userId): Promise<Integration[]> {
  return ownerId === null ? Promise.resolve([]) : queries.listConnected(ctx.db, ctx.actor.projectId, ownerId)
}

export async function listIntegrationsOfAutomation(ctx: Ctx, automationId: string): Promise<Integration[]> {
  const ownerId = await queries.findAutomationOwner(ctx.db, ctx.actor.projectId, automationId)
  if (ownerId === undefined) throw notFound('automation', automationId)
  return listIntegrations(ctx, ownerId)
}

/** Refuses grants for integrations that the owner has not connected. */
export async function checkGrants(
  ctx: Ctx,
  ownerId: string,
  ids: string[],
  pointer = '/integration_grants',
): Promise<void> {
  if (ids.length === 0) return
  const connected = new Set((await listIntegrations(ctx, ownerId)).map(({ id }) => id))
  const errors = ids.flatMap((id, index) =>
    connected.has(id)
      ? []
      : [
          {
            pointer: `${pointer}/${index}`,
            detail: `The owner has connected no integration ${quoted(id)}. See GET /integrations.`,
          },
        ],
  )
  if (errors.length > 0) throw invalid(errors)
}

export interface Grant extends Integration {
  isConnected: boolean
}

/** Returns the granted integrations, including disconnected ones. */
export const describeGrants = (ctx: Ctx, ids: string[]): Promise<Grant[]> =>
  ids.length === 0 ? Promise.resolve([]) : queries.findIntegrations(ctx.db, ctx.actor.projectId, ids)

export interface NewIntegration {
  displayName: string
  url?: string | undefined
  commandName?: string | undefined
  token?: string | undefined
}

/** Checks what was entered and seals the token. */
export async function draftConnection(ctx: Ctx, wanted: NewIntegration): Promise<Connection> {
  const { settings } = ctx.wiring
  const { url, commandName, token } = wanted
  const displayName = wanted.displayName.trim()
  refuseOdd(wanted, displayName, settings.of(integrationSettings).stdioCommands)
  const id = uuidv7()
  const sealedToken = token ? seal(await settings.secretKey(), id, token) : null
  return { id, displayName, url: url ?? null, commandName: commandName ?? null, sealedToken }
}

/** Connects an MCP server for a member, without calling it. */
export async function addIntegration(ctx: Ctx, ownerId: string, wanted: NewIntegration): Promise<Integration> {
  const connection = await draftConnection(ctx, wanted)
  const { id, displayName } = connection
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    if (!(await findMember(ctx.db, projectId, { id: ownerId })))
      throw conflict('not_a_member', 'Only a member of the project can have integrations in it.')
    if (!(await queries.insertConnection(ctx.db, projectId, ownerId, connection))) throw nameTaken(displayName)
    await recordEvent(ctx, integrationEvents.connected(id, { title: displayName, owner_id: ownerId }))
    return { id, displayName }
  })
}

function refuseOdd({ url, commandName, token }: NewIntegration, name: string, commands: Record<string, string[]>) {
  if (name === '' || isLongerThan(name, 200) || !isCleanText(name))
    throw invalid([{ pointer: '/display_name', detail: 'A name has 1 to 200 characters and no control characters.' }])
  if ((url === undefined) === (commandName === undefined))
    throw invalid([{ pointer: '/url', detail: 'Give exactly one of a URL and the name of a command.' }])
  if (url !== undefined && (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || url.length > 2_000))
    throw invalid([{ pointer: '/url', detail: `${quoted(url)} is not a full http or https URL.` }])
  if (url !== undefined && (new URL(url).username || new URL(url).password))
    throw invalid([{ pointer: '/url', detail: 'A URL with a password in it would be shown. Give it as the token.' }])
  if (commandName !== undefined && !Object.hasOwn(commands, commandName))
    throw invalid([
      {
        pointer: '/command',
        detail: `${quoted(commandName)} is not a command that the operator allows. Allowed: ${Object.keys(commands).join(', ') || 'none'}.`,
      },
    ])
  if (token !== undefined && (token.length > 10_000 || !/^[\x21-\x7e]*$/.test(token)))
    throw invalid([{ pointer: '/token', detail: 'A token has at most 10,000 visible ASCII characters.' }])
}

/** Disconnects it and deletes its credentials. Without `ownerId`, regardless of the owner. */
export function removeIntegration(ctx: Ctx, ownerId: string | null, id: string): Promise<Integration> {
  return inTransaction(ctx, async (ctx) => {
    const removed = await queries.markRemoved(ctx.db, ctx.actor.projectId, ownerId, id)
    if (!removed) throw notFound('integration', id)
    await recordEvent(ctx, integrationEvents.removed(id, { title: removed.displayName, owner_id: removed.ownerId }))
    return removed
  })
}

import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { closeVersion } from '../../../product/documents/index.ts'
import { clearFeature, linkWorkOrder, loadTheme, setFeature, unlinkWorkOrder } from '../../../product/feedback/index.ts'
import {
  type ConfirmedVersion,
  confirmVersions,
  connectionEvents,
  connectResources,
  disconnectResources,
  findResources,
  type Link,
  lockLinks,
} from '../../../product/links/index.ts'
import { authorizeWrite } from '../../../product/projects/index.ts'
import { changeWorkOrder } from '../../../product/work-orders/index.ts'
import { listConnections, listVersionIds } from './connection-queries.ts'

type Ends = [Link, Link]

/**
 * Connects two things through the action of the one that has rules: a theme, else a work order. Returns the feature that
 * a theme had before, since it has only one. `confirmed` brings back what was confirmed before the link was removed.
 */
export function connect(ctx: Ctx, id: string, otherId: string, confirmed: ConfirmedVersion[] = []) {
  return changeLink(ctx, id, otherId, async (ctx, ends) => {
    const replaced = (await areConnected(ctx, ends)) ? null : await addLink(ctx, ends)
    await confirmVersions(ctx.db, ctx.actor.projectId, {
      ends: idsOf(ends),
      versions: ownOf(ends, confirmed),
      userId: ctx.actor.userId,
      restore: true,
    })
    return replaced
  })
}

async function addLink(ctx: TxCtx, ends: Ends): Promise<string | null> {
  const theme = partOf(ends, 'theme')
  if (theme) {
    const other = otherEnd(ends, theme)
    if (other.resourceType === 'work_order') await linkWorkOrder(ctx, theme.resourceId, other.resourceId)
    else if (other.resourceType === 'requirements_document') {
      const { featureId } = await loadTheme(ctx, theme.resourceId)
      await setFeature(ctx, theme.resourceId, other.resourceId)
      return featureId
    } else throw cannotConnect('A theme is connected to work orders and to one feature.')
    return null
  }
  const workOrder = partOf(ends, 'work_order')
  if (partOf(ends, 'feedback_item')) throw cannotConnect('A report is connected by quoting it in a theme.')
  if (workOrder) {
    const context = await contextOf(ctx, workOrder.resourceId)
    await changeWorkOrder(ctx, workOrder.resourceId, { context: [...context, otherEnd(ends, workOrder)] })
    return null
  }
  await connectResources(ctx.db, ctx.actor.projectId, ...ends)
  await recordBoth(ctx, ends, 'connected')
  return null
}

export function disconnect(ctx: Ctx, id: string, otherId: string): Promise<void> {
  return changeLink(ctx, id, otherId, async (ctx, ends) => {
    if (!(await areConnected(ctx, ends))) throw notFound('connection with', otherId)
    const theme = partOf(ends, 'theme')
    const workOrder = partOf(ends, 'work_order')
    if (theme && workOrder) await unlinkWorkOrder(ctx, theme.resourceId, workOrder.resourceId)
    else if (theme && (await loadTheme(ctx, theme.resourceId)).featureId === otherEnd(ends, theme).resourceId)
      await clearFeature(ctx, theme.resourceId)
    else if (workOrder) {
      const gone = otherEnd(ends, workOrder).resourceId
      const context = await contextOf(ctx, workOrder.resourceId)
      await changeWorkOrder(ctx, workOrder.resourceId, {
        context: context.filter(({ resourceId }) => resourceId !== gone),
      })
    } else {
      await disconnectResources(ctx.db, ctx.actor.projectId, ...idsOf(ends))
      await recordBoth(ctx, ends, 'disconnected')
    }
  })
}

/** Notes that the two ends still fit, as of the versions that the person has seen. */
export function confirmConnection(ctx: Ctx, id: string, otherId: string, versions: ConfirmedVersion[]): Promise<void> {
  return changeLink(ctx, id, otherId, async (ctx, ends) => {
    if (!(await areConnected(ctx, ends))) throw notFound('connection with', otherId)
    const own = ownOf(ends, versions)
    const current = await listVersionIds(
      ctx.db,
      ctx.actor.projectId,
      own.map(({ documentId }) => documentId),
    )
    for (const { documentId, versionNumber } of own) {
      const document = current.find((one) => one.id === documentId)
      if (!document) throw cannotConnect(`"${documentId}" has no versions.`)
      if (versionNumber > document.versionNumber)
        throw conflict('no_such_version', `"${documentId}" has only ${document.versionNumber} versions.`)
      // What is typed from now on was not confirmed.
      if (versionNumber === document.versionNumber)
        await closeVersion(ctx.db, ctx.actor.projectId, documentId, document.versionId)
    }
    const { projectId, userId } = ctx.actor
    await confirmVersions(ctx.db, projectId, { ends: idsOf(ends), versions: own, userId })
    await recordBoth(ctx, ends, 'connection_confirmed')
  })
}

/** The caller may write, both ends exist and stay, and nobody else changes links meanwhile. */
function changeLink<T>(ctx: Ctx, id: string, otherId: string, run: (ctx: TxCtx, ends: Ends) => Promise<T>): Promise<T> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    const types = await findResources(ctx.db, ctx.actor.projectId, [id, otherId])
    const endOf = (end: string): Link => {
      const resourceType = types.get(end.toLowerCase())
      if (!resourceType) throw notFound('resource', end)
      return { resourceType, resourceId: end.toLowerCase() }
    }
    const ends: Ends = [endOf(id), endOf(otherId)]
    if (ends[0].resourceId === ends[1].resourceId) throw cannotConnect('Something cannot be connected to itself.')
    return run(ctx, ends)
  })
}

const contextOf = async (ctx: TxCtx, id: string): Promise<Link[]> =>
  (await listConnections(ctx.db, ctx.actor.projectId, id))
    .filter(({ isFixed }) => !isFixed)
    .map(({ resourceType, resourceId }) => ({ resourceType, resourceId }))

const areConnected = async (ctx: TxCtx, [one, other]: Ends) =>
  (await contextOf(ctx, one.resourceId)).some(({ resourceId }) => resourceId === other.resourceId)

const partOf = (ends: Ends, type: Link['resourceType']) => ends.find(({ resourceType }) => resourceType === type)
const otherEnd = ([one, other]: Ends, end: Link) => (end === one ? other : one)

const idsOf = ([one, other]: Ends): [string, string] => [one.resourceId, other.resourceId]

const ownOf = (ends: Ends, versions: ConfirmedVersion[]) =>
  versions
    .map((one) => ({ ...one, documentId: one.documentId.toLowerCase() }))
    .filter(({ documentId }) => ends.some(({ resourceId }) => resourceId === documentId))

type Happening = 'connected' | 'disconnected' | 'connection_confirmed'

const recordBoth = (ctx: TxCtx, [one, other]: Ends, what: Happening) =>
  recordEvents(ctx, [eventAt(one, other, what), eventAt(other, one, what)])

const eventAt = (end: Link, far: Link, what: Happening) =>
  connectionEvents[end.resourceType][what](end.resourceId, {
    resource_type: far.resourceType,
    resource_id: far.resourceId,
  })

const cannotConnect = (detail: string) => invalid([{ pointer: '/other_id', detail }])

import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { AppError, fieldNotFound, invalid } from '../../../kernel/errors.ts'
import { type NewEvent, recordEvent } from '../../../kernel/events.ts'
import { connectResources, disconnectResources, holdResource, type Link, lockLinks } from '../../links/index.ts'
import { findMember, type MemberRef } from '../../projects/index.ts'
import { REQUIREMENTS_KIND, requirementsTypeOf } from '../../requirements/index.ts'
import { themeEvents } from '../events.ts'
import { isPerson, refuseToTouch } from '../policy.ts'
import { loadTheme, openTheme, openThemeAnd } from './open-theme.ts'
import type { Theme } from './theme.ts'
import { setThemeAssignee, setThemeFeature, touchTheme } from './theme-queries.ts'

export function linkWorkOrder(ctx: Ctx, themeId: string, workOrderId: string): Promise<Theme> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    const workOrder = { resourceType: 'work_order', resourceId: workOrderId.toLowerCase() } as const
    const [theme] = await openThemeAnd(ctx, themeId, () => holdResource(ctx, workOrder, '/work_order_id'))
    if (theme.context.some((one) => one.resourceId === workOrder.resourceId)) return theme
    await connectResources(ctx.db, ctx.actor.projectId, { resourceType: 'theme', resourceId: theme.id }, workOrder)
    return finishChange(ctx, theme, themeEvents.work_order_linked(theme.id, { work_order_id: workOrder.resourceId }))
  })
}

export function unlinkWorkOrder(ctx: Ctx, themeId: string, workOrderId: string): Promise<Theme> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    const [theme, linked] = await openThemeAnd(ctx, themeId, async (theme) => loadLinked(theme, workOrderId))
    await disconnectResources(ctx.db, ctx.actor.projectId, theme.id, linked.resourceId)
    return finishChange(ctx, theme, themeEvents.work_order_unlinked(theme.id, { work_order_id: linked.resourceId }))
  })
}

function loadLinked(theme: Theme, workOrderId: string): Link {
  const linked = theme.context.find(
    (one) => one.resourceType === 'work_order' && one.resourceId === workOrderId.toLowerCase(),
  )
  if (!linked) throw notLinked(workOrderId)
  return linked
}

/** A theme has at most one feature document. A new one replaces it. */
export function setFeature(ctx: Ctx, themeId: string, featureId: string): Promise<Theme> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    const [theme, feature] = await openThemeAnd(ctx, themeId, () => holdFeature(ctx, featureId))
    if (theme.featureId === feature.resourceId) return theme
    await connectFeature(ctx, theme.id, theme.featureId, feature)
    return finishChange(ctx, theme, themeEvents.updated(theme.id, { fields: ['feature_requirements_document_id'] }))
  })
}

export function clearFeature(ctx: Ctx, themeId: string): Promise<Theme> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    const theme = await openTheme(ctx, themeId)
    if (theme.featureId === null) return theme
    await disconnectResources(ctx.db, ctx.actor.projectId, theme.id, theme.featureId)
    await setThemeFeature(ctx.db, ctx.actor.projectId, theme.id, null)
    return finishChange(ctx, theme, themeEvents.updated(theme.id, { fields: ['feature_requirements_document_id'] }))
  })
}

/** Returns the feature document that a body names, locked until the transaction ends. */
export async function holdFeature(ctx: TxCtx, featureId: string): Promise<Link> {
  const pointer = '/feature_requirements_document_id'
  const feature = { resourceType: REQUIREMENTS_KIND, resourceId: featureId.toLowerCase() } as const
  await holdResource(ctx, feature, pointer)
  const type = await requirementsTypeOf(ctx, featureId)
  if (type !== 'FEATURE')
    throw invalid([
      { pointer, detail: `"${featureId}" is a document of type ${type}; a theme needs one of type FEATURE.` },
    ])
  return feature
}

/** The caller holds the lock on links. */
export async function connectFeature(ctx: TxCtx, themeId: string, before: string | null, feature: Link): Promise<void> {
  const { projectId } = ctx.actor
  if (before !== null) await disconnectResources(ctx.db, projectId, themeId, before)
  await connectResources(ctx.db, projectId, { resourceType: 'theme', resourceId: themeId }, feature)
  await setThemeFeature(ctx.db, projectId, themeId, feature.resourceId)
}

export function assignTheme(ctx: Ctx, themeId: string, ref: MemberRef): Promise<Theme> {
  return inTransaction(ctx, async (ctx) => {
    const [theme, memberId] = await openThemeAnd(ctx, themeId, () => holdMember(ctx, ref))
    return setAssignee(ctx, theme, memberId)
  })
}

async function holdMember(ctx: TxCtx, ref: MemberRef): Promise<string> {
  const member = await findMember(ctx.db, ctx.actor.projectId, ref)
  if (!member)
    throw 'id' in ref ? fieldNotFound('member', ref.id, '/user_id') : fieldNotFound('member', ref.email, '/email')
  return member.id
}

export function unassignTheme(ctx: Ctx, themeId: string): Promise<Theme> {
  return inTransaction(ctx, async (ctx) => setAssignee(ctx, await openTheme(ctx, themeId), null))
}

async function setAssignee(ctx: TxCtx, theme: Theme, userId: string | null): Promise<Theme> {
  if ((theme.assignee?.id ?? null) === userId) return theme
  await setThemeAssignee(ctx.db, ctx.actor.projectId, theme.id, userId)
  return finishChange(ctx, theme, themeEvents.updated(theme.id, { fields: ['assignee'] }))
}

/** Every change of a theme's connections ends here, in the transaction that a refusal takes back. */
async function finishChange(ctx: TxCtx, theme: Theme, event: NewEvent): Promise<Theme> {
  refuseToTouch(ctx, 'theme', theme)
  const { id } = theme
  await touchTheme(ctx.db, ctx.actor.projectId, id, isPerson(ctx.actor))
  await recordEvent(ctx, event)
  return loadTheme(ctx, id)
}

const notLinked = (workOrderId: string) =>
  new AppError(
    404,
    'not_found',
    `The work order "${workOrderId}" is not linked to this theme. Read the theme: its "connectedContext" lists its work orders.`,
  )

import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, fieldNotFound, invalid, notFound } from '../../../kernel/errors.ts'
import { recordEvent, recordEvents } from '../../../kernel/events.ts'
import { checkExpected } from '../../../kernel/expected.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { restartNumbers, takeNumbers } from '../../projects/index.ts'
import { phaseEvents, workOrderEvents } from '../events.ts'
import { authorizeWrite } from '../policy.ts'
import type { Phase } from '../work-order.ts'
import * as queries from './phase-queries.ts'

/** A new phase comes last. */
export function addPhase(ctx: Ctx, { title }: { title: string }): Promise<Phase> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const phase = { id: uuidv7(), phaseNumber: await takeNumbers(ctx.db, projectId, 'phase', 1), title }
    await queries.insertPhase(ctx.db, projectId, phase)
    await recordEvent(ctx, phaseEvents.created(phase.id, { title }))
    return phase
  })
}

export function renamePhase(ctx: Ctx, id: string, title: string, expected?: string): Promise<Phase> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await queries.lockPhase(ctx.db, projectId, id)
    if (!before) throw notFound('phase', id)
    checkExpected('title', before.title, title, expected)
    const phase = await queries.updatePhaseTitle(ctx.db, projectId, id, title)
    await recordEvent(ctx, phaseEvents.updated(id, { title }))
    return phase
  })
}

/** Renumbers the phases in the given order, which must name each of them once. */
export function reorderPhases(ctx: Ctx, ids: string[]): Promise<Phase[]> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await queries.lockPhases(ctx.db, projectId)
    if (ids.length !== before.length || !before.every((phase) => ids.includes(phase.id)))
      throw invalid([{ pointer: '', detail: `Name each of the ${before.length} phases of this project once.` }])
    await queries.updatePhaseNumbers(ctx.db, projectId, ids)
    const moved = before.find((phase) => ids[phase.phaseNumber - 1] !== phase.id)
    if (moved) await recordEvent(ctx, phaseEvents.reordered(moved.id, { order: ids }))
    return queries.listPhases(ctx.db, projectId)
  })
}

/**
 * Deletes a phase. What is planned in it moves to another phase, or with null to none; undefined refuses to move
 * anything. The phases after it get the numbers that follow.
 */
export function deletePhase(ctx: Ctx, id: string, moveTo: string | null | undefined): Promise<void> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    // Work orders first, then the phase: in the order of those who move a work order into it.
    const planned = await queries.lockWorkOrdersIn(ctx.db, projectId, id)
    const all = await queries.lockPhases(ctx.db, projectId)
    const phase = all.find((one) => one.id === id)
    if (!phase) throw notFound('phase', id)
    const target = all.find((one) => one.id === moveTo)
    if (moveTo && (!target || target === phase)) throw fieldNotFound('phase', moveTo, '/move_to')
    if (planned.length > 0 && moveTo === undefined)
      throw conflict(
        'not_empty',
        `${planned.length} work orders are in "${phase.title}". Say with "move_to" where they go.`,
      )
    const moved = await queries.moveWorkOrders(ctx.db, projectId, id, moveTo ?? null)
    await queries.deletePhase(ctx.db, projectId, id)
    const rest = all.filter((one) => one !== phase).sort((one, other) => one.phaseNumber - other.phaseNumber)
    await queries.updatePhaseNumbers(
      ctx.db,
      projectId,
      rest.map((one) => one.id),
    )
    await restartNumbers(ctx.db, projectId, 'phase', rest.length)
    const changes = { phase: { from: phase.title, to: target?.title ?? null } }
    await recordEvents(ctx, [
      ...moved.map((one) => workOrderEvents.updated(one.id, { fields: ['phase'], changes })),
      phaseEvents.deleted(id, { title: phase.title }),
    ])
  })
}

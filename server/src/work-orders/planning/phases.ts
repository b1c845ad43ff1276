import type { Ctx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { takeNumbers } from '../../projects/index.ts'
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
    await recordEvent(ctx, { kind: 'phase.created', subjectType: 'phase', subjectId: phase.id, payload: { title } })
    return phase
  })
}

export function renamePhase(ctx: Ctx, id: string, title: string): Promise<Phase> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const phase = await queries.updatePhaseTitle(ctx.db, ctx.actor.projectId, id, title)
    if (!phase) throw notFound('phase', id)
    await recordEvent(ctx, { kind: 'phase.updated', subjectType: 'phase', subjectId: id, payload: { title } })
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
    if (moved)
      await recordEvent(ctx, {
        kind: 'phase.reordered',
        subjectType: 'phase',
        subjectId: moved.id,
        payload: { order: ids },
      })
    return queries.listPhases(ctx.db, projectId)
  })
}

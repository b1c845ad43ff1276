import type { Ctx } from '../kernel/context.ts'
import { type Db, inTransaction } from '../kernel/database/index.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { authorizeWrite, takeNumbers } from '../projects/index.ts'

import type { Phase } from './work-order.ts'

const columns = (db: Db) => db`id, phase_number as "phaseNumber", title`

export const listPhases = (db: Db, projectId: string) => db<Phase[]>`
  select ${columns(db)} from phases where project_id = ${projectId} order by phase_number`

export const findPhases = (db: Db, projectId: string, ids: string[], numbers: number[]) => db<Phase[]>`
  select ${columns(db)} from phases
  where project_id = ${projectId} and (id = any(${ids}::uuid[]) or phase_number = any(${numbers}::int[]))`

/** A new phase comes last. */
export function addPhase(ctx: Ctx, { title }: { title: string }): Promise<Phase> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const number = await takeNumbers(ctx.db, projectId, 'phase', 1)
    const [phase] = await ctx.db<Phase[]>`
      insert into phases (project_id, id, phase_number, title) values (${projectId}, ${uuidv7()}, ${number}, ${title})
      returning ${columns(ctx.db)}`
    await recordEvent(ctx, { kind: 'phase.created', subjectType: 'phase', subjectId: phase!.id, payload: { title } })
    return phase!
  })
}

export function renamePhase(ctx: Ctx, id: string, title: string): Promise<Phase> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const [phase] = await ctx.db<Phase[]>`
      update phases set title = ${title} where project_id = ${ctx.actor.projectId} and id = ${id} returning ${columns(ctx.db)}`
    if (!phase) throw notFound('phase', id)
    await recordEvent(ctx, { kind: 'phase.updated', subjectType: 'phase', subjectId: id, payload: { title } })
    return phase
  })
}

/** Numbers the phases anew in the given order, which must name each of them once. */
export function reorderPhases(ctx: Ctx, ids: string[]): Promise<Phase[]> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await ctx.db<Phase[]>`
      select ${columns(ctx.db)} from phases where project_id = ${projectId} order by id for update`
    if (ids.length !== before.length || !before.every((phase) => ids.includes(phase.id)))
      throw invalid([{ pointer: '', detail: `Name each of the ${before.length} phases of this project once.` }])
    await ctx.db`update phases p set phase_number = o.position
      from unnest(${ids}::uuid[]) with ordinality as o (id, position) where p.project_id = ${projectId} and p.id = o.id`
    const moved = before.find((phase) => ids[phase.phaseNumber - 1] !== phase.id)
    if (moved)
      await recordEvent(ctx, {
        kind: 'phase.reordered',
        subjectType: 'phase',
        subjectId: moved.id,
        payload: { order: ids },
      })
    return listPhases(ctx.db, projectId)
  })
}

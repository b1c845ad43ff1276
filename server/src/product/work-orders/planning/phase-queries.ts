import { type Db, listOf } from '../../../kernel/database/index.ts'
import type { Phase } from '../work-order.ts'

const columns = (db: Db) => db`id, phase_number as "phaseNumber", title`

/** Sorted by number. */
export const listPhases = (db: Db, projectId: string) => db<Phase[]>`
  select ${columns(db)} from phases where project_id = ${projectId} order by phase_number`

export const findPhases = (db: Db, projectId: string, ids: string[], numbers: number[]) => db<Phase[]>`
  select ${columns(db)} from phases
  where project_id = ${projectId} and (id = any(${listOf(ids, 'uuid')}) or phase_number = any(${listOf(numbers, 'int')}))`

export const lockPhases = (db: Db, projectId: string) => db<Phase[]>`
  select ${columns(db)} from phases where project_id = ${projectId} order by id for update`

export async function insertPhase(db: Db, projectId: string, { id, phaseNumber, title }: Phase): Promise<void> {
  await db`
    insert into phases (project_id, id, phase_number, title) values (${projectId}, ${id}, ${phaseNumber}, ${title})`
}

/** Returns undefined if there is no such phase. */
export async function lockPhase(db: Db, projectId: string, id: string): Promise<Phase | undefined> {
  const [phase] = await db<Phase[]>`
    select ${columns(db)} from phases where project_id = ${projectId} and id = ${id} for update`
  return phase
}

export async function updatePhaseTitle(db: Db, projectId: string, id: string, title: string): Promise<Phase> {
  const [phase] = await db<Phase[]>`
    update phases set title = ${title} where project_id = ${projectId} and id = ${id} returning ${columns(db)}`
  return phase!
}

/** Numbers the phases in the given order, from 1. */
export async function updatePhaseNumbers(db: Db, projectId: string, ids: string[]): Promise<void> {
  await db`update phases p set phase_number = o.position
    from unnest(${ids}::uuid[]) with ordinality as o (id, position) where p.project_id = ${projectId} and p.id = o.id`
}

export async function deletePhase(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from phases where project_id = ${projectId} and id = ${id}`
}

/** Locks in the order of ids, like every writer of work orders. */
export const lockWorkOrdersIn = (db: Db, projectId: string, phaseId: string) => db<{ id: string }[]>`
  select id from work_orders where project_id = ${projectId} and phase_id = ${phaseId} order by id for update`

/** Returns the ids of those that moved. */
export const moveWorkOrders = (db: Db, projectId: string, from: string, to: string | null) => db<{ id: string }[]>`
  update work_orders set phase_id = ${to}, updated_at = greatest(now(), updated_at + interval '1 millisecond')
  where project_id = ${projectId} and phase_id = ${from} returning id`

import type { Db } from '../../kernel/database/index.ts'

export interface Counts {
  work_orders: number
  requirements: number
  blueprints: number
  artifacts: number
  feedback_items: number
  themes: number
}

export async function countEverything(db: Db, projectId: string): Promise<Counts> {
  const [counts] = await db<Counts[]>`select
    (select count(*)::int from work_orders where project_id = ${projectId}) as work_orders,
    (select count(*)::int from documents where project_id = ${projectId} and kind = 'requirements_document') as requirements,
    (select count(*)::int from documents where project_id = ${projectId} and kind = 'blueprint') as blueprints,
    (select count(*)::int from artifacts where project_id = ${projectId} and type <> 'folder') as artifacts,
    (select count(*)::int from feedback_items where project_id = ${projectId}) as feedback_items,
    (select count(*)::int from themes where project_id = ${projectId}) as themes`
  return counts!
}

import { type Db, sendTogether } from '../../../kernel/database/index.ts'
import { countFeedback } from '../../../product/feedback/index.ts'

export interface Counts {
  work_orders: number
  requirements: number
  blueprints: number
  artifacts: number
  feedback_items: number
  feedback_to_process: number
  themes: number
  themes_open: number
}

type Counted = Pick<Counts, 'work_orders' | 'requirements' | 'blueprints' | 'artifacts'>

export async function countEverything(db: Db, projectId: string): Promise<Counts> {
  const counting = db<Counted[]>`select
    (select count(*)::int from work_orders where project_id = ${projectId}) as work_orders,
    (select count(*)::int from documents where project_id = ${projectId} and kind = 'requirements_document') as requirements,
    (select count(*)::int from documents where project_id = ${projectId} and kind = 'blueprint') as blueprints,
    (select count(*)::int from artifacts where project_id = ${projectId} and type <> 'folder') as artifacts`
  const [[counts], feedback] = await sendTogether([counting, countFeedback(db, projectId)])
  return {
    ...counts!,
    feedback_items: feedback.items,
    feedback_to_process: feedback.toProcess,
    themes: feedback.themes,
    themes_open: feedback.openThemes,
  }
}

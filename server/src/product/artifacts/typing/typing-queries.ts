import type { Db } from '../../../kernel/database/index.ts'

/** True if the last thing that happened to a document is that people began to type, and it is not long ago. */
export async function isBeingTyped(db: Db, projectId: string, id: string, window: string): Promise<boolean> {
  const [last] = await db<{ isTyped: boolean }[]>`
    select payload ? 'typed' and created_at > now() - ${window}::interval as "isTyped" from events
    where project_id = ${projectId} and subject_id = ${id} and not payload ? 'folded' order by id desc limit 1`
  return last?.isTyped ?? false
}

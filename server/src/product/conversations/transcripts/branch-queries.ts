import type { Db, Tx } from '../../../kernel/database/index.ts'

export interface Branch {
  id: string
  /** The message that the versions replace. */
  number: number
}

interface Point {
  id: string
  branchOf: string | null
  branchNumber: number | null
}

/**
 * The versions of messages of a conversation, the oldest first: where it left the one that it began in, and where others
 * left it. Each message that has versions is listed with all of them, and with this conversation itself.
 */
export async function listBranches(db: Db, projectId: string, userId: string, one: Point): Promise<Branch[]> {
  const rows = await db<Branch[]>`
    select c.id, c.branch_number as number, c.created_at from conversations c
    where c.project_id = ${projectId} and (c.owner_id = ${userId} or c.is_shared)
      and (c.branch_of = ${one.id} or (c.branch_of = ${one.branchOf} and c.branch_number = ${one.branchNumber}))
    order by created_at, id limit 200`
  const numbers = [...new Set(rows.map(({ number }) => number))]
  return numbers.flatMap((number) => [
    { id: number === one.branchNumber && one.branchOf !== null ? one.branchOf : one.id, number },
    ...rows.filter((row) => row.number === number).map(({ id }) => ({ id, number })),
  ])
}

/** Copies what was said before a message, with new ids. */
export async function copyEvents(db: Tx, projectId: string, from: string, to: string, before: number): Promise<void> {
  await db`
    insert into conversation_events (project_id, conversation_id, turn_id, number, id, kind, text, is_final, tool_name,
      tool_call_id, tool_status, created_at)
    select project_id, ${to}, turn_id, number, gen_random_uuid(), kind, text, is_final, tool_name, tool_call_id,
      tool_status, created_at
    from conversation_events where project_id = ${projectId} and conversation_id = ${from} and number < ${before}`
}

export async function markBranch(db: Tx, projectId: string, id: string, of: string, number: number): Promise<void> {
  await db`update conversations set branch_of = ${of}, branch_number = ${number}, last_event_number = ${number - 1}
    where project_id = ${projectId} and id = ${id}`
}

export async function isQuestion(db: Db, projectId: string, conversationId: string, number: number): Promise<boolean> {
  const [row] = await db`select 1 from conversation_events where project_id = ${projectId}
    and conversation_id = ${conversationId} and number = ${number} and kind = 'user'`
  return row !== undefined
}

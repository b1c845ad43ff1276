import { recordWork } from '../conversations/index.ts'
import type { JobDeps } from '../kernel/slice.ts'
import { causeOf } from './cause.ts'
import { findAutomation } from './queries.ts'
import { findRun } from './run-queries.ts'

/** Every run leaves a conversation, also one in which no agent spoke; null when there is no owner who could read it. */
export async function leaveWord(
  deps: JobDeps,
  { id, projectId }: { id: string; projectId: string },
  reply: string,
  status: 'succeeded' | 'failed' | 'cancelled',
): Promise<string | null> {
  const run = await findRun(deps.db, projectId, id)
  if (!run) return null
  const automation = await findAutomation(deps.db, projectId, run.automationId)
  if (!automation?.owner) return null
  const { conversationId } = await recordWork(deps, {
    projectId,
    ownerId: automation.owner.id,
    automation: { id: automation.id, name: automation.name, runId: id },
    title: automation.name,
    prompt: causeOf(run),
    reply,
    status,
  })
  return conversationId
}

import type { Ctx } from '../../../kernel/context.ts'
import { type Deed, listDeeds, readProgress } from '../../conversations/index.ts'
import { presentRun } from './run.ts'
import { loadRun } from './runs.ts'

export const presentWrite = (deed: Deed) => ({
  object: 'automation_run_write' as const,
  id: deed.id,
  tool: deed.tool,
  status: deed.status,
  input: deed.input,
  resource_type: deed.resourceType,
  resource_id: deed.resourceId,
  before: deed.before,
  after: deed.after,
  depends_on: deed.dependsOn,
  reason: deed.reason,
  decided_by: deed.decidedBy,
  decided_at: deed.decidedAt,
  created_at: deed.createdAt,
})

const NOTHING_SAID = { text: null, toolCalls: 0, lastTool: null, lastAt: null }

/** A run with what it said and did, also while it goes on. */
export async function readDetail(ctx: Ctx, automationId: string, id: string) {
  const { projectId } = ctx.actor
  const run = await loadRun(ctx, automationId, id)
  const deeds = await listDeeds(ctx.db, projectId, run.id)
  const { text, toolCalls, lastTool, lastAt } =
    run.conversationId === null ? NOTHING_SAID : await readProgress(ctx.db, projectId, run.conversationId)
  return {
    ...presentRun(run),
    text,
    progress: { tool_calls: toolCalls, last_tool: lastTool, last_at: lastAt },
    writes: deeds.map(presentWrite),
  }
}

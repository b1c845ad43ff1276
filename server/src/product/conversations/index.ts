import { forgetOldRows } from '../../kernel/keeping/kept-queries.ts'
import type { Slice } from '../../kernel/slice.ts'
import { registerTalkRoutes } from './app-api.ts'
import { budgetEvents, conversationEvents } from './events.ts'
import { registerConversationRoutes } from './external-api.ts'
import { registerProjectModelRoutes } from './model-app-api.ts'
import { conversationSettings } from './settings.ts'
import { startTakingOver } from './taking-over.ts'

/**
 * People and agents talking: conversations, their events, and the agents that run the tools of other slices. The caller
 * decides why an agent runs.
 */
export const conversations: Slice = {
  name: 'conversations',
  events: [conversationEvents, budgetEvents.project, budgetEvents.automation],
  settings: conversationSettings,
  externalApi: registerConversationRoutes,
  appApi(face) {
    registerTalkRoutes(face)
    registerProjectModelRoutes(face)
  },
  jobs: {
    forget_kept_rows: { cron: '7 4 * * *', catchUp: true, run: (_payload, { db }) => forgetOldRows(db) },
  },
  background: startTakingOver,
}

export {
  BudgetBody,
  type BudgetLimits,
  BudgetShape,
  isLimited,
  isLooser,
  NO_LIMITS,
  presentLimits,
  readLimits,
} from './budgets/budget.ts'
export { type Budget, deleteBudget, findProjectBudget, setLimits, WHOLE_PROJECT } from './budgets/budget-queries.ts'
export { listMonthUsage, type PeriodUsage, readUsage, type UsageNow } from './budgets/usage-queries.ts'
export { checkBudgets, priceFault } from './budgets.ts'
export type { ConversationEvent, ConversationOrigin } from './conversation.ts'
export { type ChangedSince, describeChangedSince } from './deeds/changed-since.ts'
export { DEED_STATUSES, type Deed } from './deeds/deed.ts'
export { listDeeds, withdrawProposals } from './deeds/deed-queries.ts'
export { acceptDeed, rejectDeed } from './deeds/deeds.ts'
export { mayKnowOf } from './deeds/snapshots.ts'
export { type Undone, undoDeeds } from './deeds/undoing.ts'
export { describeModels, modelSettingsFor } from './models/project-model.ts'
export { movedConversations } from './moved.ts'
export { listEventsAfter, MAX_EVENTS_AFTER, type Progress, readProgress } from './queries.ts'
export { followAgent } from './reading/following.ts'
export { ChangedSinceShape } from './schema.ts'
export {
  isWiderKit,
  narrowKit,
  presentToolKit,
  RESTRICTIONS,
  type Restriction,
  TOOL_DOMAINS,
  type ToolDomain,
  type ToolKit,
  ToolKitBody,
  ToolKitShape,
  toToolKit,
} from './tool-kit.ts'
export { modelSchema } from './tools/model-schema.ts'
export { runOwn as runTool } from './tools/toolbox.ts'
export {
  type AgentOutcome,
  type AgentRequest,
  recordTurn,
  recordWork,
  runAgent,
  scheduleConversation,
  type WorkDone,
} from './turns/agent.ts'
export { type Change, listChanges } from './turns/changes.ts'
export { nothingSpent, type Spent } from './turns/spending.ts'
export { conversationOfRequest } from './turns/turn-queries.ts'
export type { NewEvent as TurnEvent } from './writes.ts'

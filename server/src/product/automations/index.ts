import type { Slice } from '../../kernel/slice.ts'
import { addBuiltIns } from './actions.ts'
import { registerPeoplesAutomationRoutes } from './app-api.ts'
import { startDispatcher } from './dispatcher/dispatch.ts'
import { registerAutomationRoutes } from './external-api.ts'
import { readAutomationTexts } from './queries.ts'
import { restorableAutomation } from './restoring.ts'
import { executeRun } from './runs/execute.ts'
import { noteRegrouped } from './runs/regrouped.ts'
import { automationSettings } from './settings.ts'
import { stopAutomations } from './switching.ts'
import { automationTools } from './tools.ts'
import { on, START_AFTER_TYPING, startAfterTyping, wanted } from './triggers/events.ts'

/**
 * Automations with their triggers, the clock that fires schedules, and the runs. An agent of `conversations` does the
 * work of a run; the other slices own what its tools do.
 */
export const automations: Slice = {
  name: 'automations',
  settings: automationSettings,
  externalApi: registerAutomationRoutes,
  appApi: registerPeoplesAutomationRoutes,
  tools: automationTools,
  resources: { automation: readAutomationTexts },
  restorable: { automation: restorableAutomation },
  on: { ...on, 'feedback_item.regrouped': noteRegrouped },
  wanted,
  during: { 'project.deleted': stopAutomations },
  jobs: { [START_AFTER_TYPING]: { run: startAfterTyping } },
  onProjectCreated: addBuiltIns,
  background: (deps) =>
    startDispatcher(deps, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) }),
}

export { createAutomation, updateAutomation } from './actions.ts'
export type { Automation, AutomationValues, TriggerType } from './automation.ts'
export { movedAutomations } from './moved.ts'
export { countAutomationsByOwner, listAutomations } from './queries.ts'
export { type BegunRun, beginRecordedRun, endRecordedRun } from './runs/recorded-runs.ts'
export { type CodePush, recordCodePush } from './triggers/code-pushes.ts'

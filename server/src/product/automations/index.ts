import type { Slice } from '../../kernel/slice.ts'
import { addBuiltIns, handOverBuiltIns } from './actions.ts'
import { registerPeoplesAutomationRoutes } from './app-api.ts'
import { startDispatcher } from './dispatcher/dispatch.ts'
import { executeRun } from './dispatcher/execute.ts'
import { automationEvents, codeEvents, runEvents } from './events.ts'
import { registerAutomationRoutes } from './external-api.ts'
import { readAutomationTexts } from './queries.ts'
import { restorableAutomation } from './restoring.ts'
import { noteRegrouped } from './runs/regrouped.ts'
import { automationSettings } from './settings.ts'
import { on, START_AFTER_TYPING, startAfterTyping, wanted } from './starting/events.ts'
import { stopAutomations } from './switching.ts'
import { automationTools } from './tools.ts'

/**
 * Automations with their triggers, the clock that fires schedules, and the runs. An agent of `conversations` does the
 * work of a run; the other slices own what its tools do.
 */
export const automations: Slice = {
  name: 'automations',
  events: [automationEvents, runEvents, codeEvents],
  settings: automationSettings,
  externalApi: registerAutomationRoutes,
  appApi: registerPeoplesAutomationRoutes,
  tools: automationTools,
  resources: { automation: readAutomationTexts },
  restorable: { automation: restorableAutomation },
  on: { ...on, 'feedback_item.regrouped': noteRegrouped },
  wanted,
  during: {
    'project.deleted': stopAutomations,
    'project_member.added': handOverBuiltIns,
    'project_member.role_changed': handOverBuiltIns,
    'project_member.removed': handOverBuiltIns,
  },
  jobs: { [START_AFTER_TYPING]: { run: startAfterTyping } },
  onProjectCreated: addBuiltIns,
  background: (deps) =>
    startDispatcher(deps, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) }),
}

export { createAutomation, updateAutomation } from './actions.ts'
export type { Automation, AutomationValues, TriggerType } from './automation.ts'
export { type BegunRun, beginRecordedRun, endRecordedRun } from './dispatcher/recorded-runs.ts'
export { movedAutomations } from './moved.ts'
export { countAutomationsByOwner, listAutomations } from './queries.ts'
export { type CodePush, recordCodePush } from './starting/code-pushes.ts'

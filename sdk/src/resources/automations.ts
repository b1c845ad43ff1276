import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type Automation = Schemas['Automation']
export type AutomationRun = Schemas['AutomationRun']
export type AutomationTrigger = Schemas['AutomationTrigger']
export type AutomationRow = Schemas['AutomationRow']
export type AutomationRows = Schemas['AutomationRows']
export type ListedAutomationRun = Schemas['ListedAutomationRun']
export type AutomationRunPage = Schemas['AutomationRunPage']
export type AutomationRunPageWrite = Schemas['AutomationRunPageWrite']
export type AutomationRunEvent = Schemas['AutomationRunEvent']

export const automations = (call: Call) => ({
  /** List automations. */
  list: (query: Query<'listAutomations'> = {}, options?: Options) => call('listAutomations', { query }, options),
  /** Read an automation. */
  get: (id: string, options?: Options) => call('getAutomation', { path: { automation_id: id } }, options),
  /** Create an automation. */
  create: (body: Body<'createAutomation'>, options?: Options) => call('createAutomation', { body }, options),
  /** Change an automation. */
  update: (id: string, body: Body<'updateAutomation'>, options?: Options) =>
    call('updateAutomation', { path: { automation_id: id }, body }, options),
  /** Delete an automation and its history. */
  delete: (id: string, options?: Options) => call('deleteAutomation', { path: { automation_id: id } }, options),
  /** List the runs of an automation. */
  listRuns: (id: string, query: Query<'listAutomationRuns'> = {}, options?: Options) =>
    call('listAutomationRuns', { path: { automation_id: id }, query }, options),
  /** Start an automation by hand. */
  startRun: (id: string, body: Body<'startAutomationRun'> = {}, options?: Options) =>
    call('startAutomationRun', { path: { automation_id: id }, body }, options),
  /** Read a run. */
  getRun: (id: string, runId: string, options?: Options) =>
    call('getAutomationRun', { path: { automation_id: id, run_id: runId } }, options),
  /** Cancel a run. */
  cancelRun: (id: string, runId: string, options?: Options) =>
    call('cancelAutomationRun', { path: { automation_id: id, run_id: runId } }, options),
  /** Do a failed or cancelled run again. */
  retryRun: (id: string, runId: string, options?: Options) =>
    call('retryAutomationRun', { path: { automation_id: id, run_id: runId } }, options),
  /** Stop everything that led to a run and that it led to. */
  stopChain: (id: string, runId: string, options?: Options) =>
    call('stopAutomationChain', { path: { automation_id: id, run_id: runId } }, options),
  /** Take back what a run did. */
  undoRun: (id: string, runId: string, options?: Options) =>
    call('undoAutomationRun', { path: { automation_id: id, run_id: runId } }, options),
  /** Take back one write of a run. */
  undoWrite: (id: string, runId: string, writeId: string, options?: Options) =>
    call('undoAutomationRunWrite', { path: { automation_id: id, run_id: runId, write_id: writeId } }, options),
  /** Do what a run proposes. */
  acceptWrite: (id: string, runId: string, writeId: string, options?: Options) =>
    call('acceptAutomationRunWrite', { path: { automation_id: id, run_id: runId, write_id: writeId } }, options),
  /** Reject what a run proposes. */
  rejectWrite: (id: string, runId: string, writeId: string, options?: Options) =>
    call('rejectAutomationRunWrite', { path: { automation_id: id, run_id: runId, write_id: writeId } }, options),
  /** Count the feedback that Feedback triage has not sorted. */
  getBacklog: (id: string, options?: Options) => call('getTriageBacklog', { path: { automation_id: id } }, options),
  /** Sort the feedback that Feedback triage has not sorted. */
  sortBacklog: (id: string, options?: Options) =>
    call('sortTriageBacklog', { path: { automation_id: id }, body: {} }, options),
  /** Tell of a push to a code repository. */
  recordCodePush: (body: Body<'recordCodePush'>, options?: Options) => call('recordCodePush', { body }, options),
})

/** What only a signed-in person can do. */
export const ownAutomations = (call: Call) => ({
  /** List automations with all that a list shows of them. */
  listRows: (options?: Options) => call('listAutomationRows', {}, options),
  /** Read when a schedule would fire next. */
  previewSchedule: (query: Query<'previewSchedule'>, options?: Options) => call('previewSchedule', { query }, options),
  /** List the runs of all automations. */
  listProjectRuns: (query: Query<'listProjectRuns'> = {}, options?: Options) =>
    call('listProjectRuns', { query }, options),
  /** Read a run with everything that its page shows. */
  getRunPage: (runId: string, options?: Options) => call('getRunPage', { path: { run_id: runId } }, options),
  /** Read what the agent of a run said and called. */
  listRunActivity: (runId: string, query: Query<'listRunActivity'> = {}, options?: Options) =>
    call('listRunActivity', { path: { run_id: runId }, query }, options),
  /** Accept or reject all that a run proposes. */
  decideAboutRun: (runId: string, body: Body<'decideAboutRun'>, options?: Options) =>
    call('decideAboutRun', { path: { run_id: runId }, body }, options),
  /** Switch off any automation of the project. */
  switchOff: (id: string, options?: Options) => call('switchOffAutomation', { path: { automation_id: id } }, options),
  /** Read what the automations of the project may use together, and what was used. */
  getBudget: (options?: Options) => call('getAutomationBudget', {}, options),
  /** Limit what the automations of the project may use together. */
  setBudget: (body: Body<'setAutomationBudget'>, options?: Options) => call('setAutomationBudget', { body }, options),
})

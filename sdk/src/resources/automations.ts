import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type Automation = Schemas['Automation']
export type AutomationRun = Schemas['AutomationRun']
export type AutomationTrigger = Schemas['AutomationTrigger']

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
  /** Switch off any automation of the project. */
  switchOff: (id: string, options?: Options) => call('switchOffAutomation', { path: { automation_id: id } }, options),
  /** Read what the automations of the project may use together, and what was used. */
  getBudget: (options?: Options) => call('getAutomationBudget', {}, options),
  /** Limit what the automations of the project may use together. */
  setBudget: (body: Body<'setAutomationBudget'>, options?: Options) => call('setAutomationBudget', { body }, options),
})

import type { Body, Call, Options, Query, Schemas } from './operation.ts'

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
  /** Tell of a push to a code repository. */
  recordCodePush: (body: Body<'recordCodePush'>, options?: Options) => call('recordCodePush', { body }, options),
})

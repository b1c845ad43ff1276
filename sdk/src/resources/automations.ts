import * as op from '../generated/operations/automations.ts'
import type { Body, Call, FollowOptions, Options, Query, Schemas } from '../operation.ts'

export type Automation = Schemas['Automation']
export type AutomationRun = Schemas['AutomationRun']
export type AutomationTrigger = Schemas['AutomationTrigger']
export type AutomationRow = Schemas['AutomationRow']
export type AutomationRows = Schemas['AutomationRows']
export type ListedAutomationRun = Schemas['ListedAutomationRun']
export type AutomationRunPage = Schemas['AutomationRunPage']
export type AutomationRunPageWrite = Schemas['AutomationRunPageWrite']
export type AutomationRunEvent = Schemas['AutomationRunEvent']
export type ModelUsage = Schemas['ModelUsage']
export type ProjectBudget = Schemas['ProjectAutomationBudget']
export type ProjectModel = Schemas['ProjectModel']

export const automations = (call: Call) => ({
  /** List automations. */
  list: (query: Query<'listAutomations'> = {}, options?: Options) => call(op.listAutomations, { query }, options),
  /** Read an automation. */
  get: (id: string, options?: Options) => call(op.getAutomation, { path: { automation_id: id } }, options),
  /** Create an automation. */
  create: (body: Body<'createAutomation'>, options?: Options) => call(op.createAutomation, { body }, options),
  /** Change an automation. */
  update: (id: string, body: Body<'updateAutomation'>, options?: Options) =>
    call(op.updateAutomation, { path: { automation_id: id }, body }, options),
  /** Delete an automation and its history. */
  delete: (id: string, options?: Options) => call(op.deleteAutomation, { path: { automation_id: id } }, options),
  /** List the runs of an automation. */
  listRuns: (id: string, query: Query<'listAutomationRuns'> = {}, options?: Options) =>
    call(op.listAutomationRuns, { path: { automation_id: id }, query }, options),
  /** Start an automation by hand. */
  startRun: (id: string, body: Body<'startAutomationRun'> = {}, options?: Options) =>
    call(op.startAutomationRun, { path: { automation_id: id }, body }, options),
  /** Read a run. */
  getRun: (id: string, runId: string, options?: Options) =>
    call(op.getAutomationRun, { path: { automation_id: id, run_id: runId } }, options),
  /** Cancel a run. */
  cancelRun: (id: string, runId: string, options?: Options) =>
    call(op.cancelAutomationRun, { path: { automation_id: id, run_id: runId } }, options),
  /** Do a failed or cancelled run again. */
  retryRun: (id: string, runId: string, options?: Options) =>
    call(op.retryAutomationRun, { path: { automation_id: id, run_id: runId } }, options),
  /** Stop everything that led to a run and that it led to. */
  stopChain: (id: string, runId: string, options?: Options) =>
    call(op.stopAutomationChain, { path: { automation_id: id, run_id: runId } }, options),
  /** Take back what a run did. */
  undoRun: (id: string, runId: string, options?: Options) =>
    call(op.undoAutomationRun, { path: { automation_id: id, run_id: runId } }, options),
  /** Take back one write of a run. */
  undoWrite: (id: string, runId: string, writeId: string, options?: Options) =>
    call(op.undoAutomationRunWrite, { path: { automation_id: id, run_id: runId, write_id: writeId } }, options),
  /** Do what a run proposes. */
  acceptWrite: (id: string, runId: string, writeId: string, options?: Options) =>
    call(op.acceptAutomationRunWrite, { path: { automation_id: id, run_id: runId, write_id: writeId } }, options),
  /** Reject what a run proposes. */
  rejectWrite: (id: string, runId: string, writeId: string, options?: Options) =>
    call(op.rejectAutomationRunWrite, { path: { automation_id: id, run_id: runId, write_id: writeId } }, options),
  /** Count the feedback that Feedback triage has not sorted. */
  getBacklog: (id: string, options?: Options) => call(op.getTriageBacklog, { path: { automation_id: id } }, options),
  /** Sort the feedback that Feedback triage has not sorted. */
  sortBacklog: (id: string, options?: Options) =>
    call(op.sortTriageBacklog, { path: { automation_id: id }, body: {} }, options),
  /** Tell of a push to a code repository. */
  recordCodePush: (body: Body<'recordCodePush'>, options?: Options) => call(op.recordCodePush, { body }, options),
})

/** With what only people who are signed in can do. */
export const ownAutomations = (call: Call) => ({
  ...automations(call),
  /** List automations with all that a list shows of them. */
  listRows: (options?: Options) => call(op.listAutomationRows, {}, options),
  /** Read when a schedule would fire next. */
  previewSchedule: (query: Query<'previewSchedule'>, options?: Options) => call(op.previewSchedule, { query }, options),
  /** List the runs of all automations. */
  listProjectRuns: (query: Query<'listProjectRuns'> = {}, options?: Options) =>
    call(op.listProjectRuns, { query }, options),
  /** Read a run with everything that its page shows. */
  getRunPage: (runId: string, options?: Options) => call(op.getRunPage, { path: { run_id: runId } }, options),
  /** Read what the agent of a run said and called. */
  listRunActivity: (runId: string, query: Query<'listRunActivity'> = {}, options?: Options) =>
    call(op.listRunActivity, { path: { run_id: runId }, query }, options),
  /** Follow a run: what is stored, words as they are said, and its end. `lastEventId` is the id of the last event seen. */
  followRun: (runId: string, options?: FollowOptions) =>
    call.stream(op.streamRunActivity, { path: { run_id: runId } }, options),
  /** Accept or reject all that a run proposes. */
  decideAboutRun: (runId: string, body: Body<'decideAboutRun'>, options?: Options) =>
    call(op.decideAboutRun, { path: { run_id: runId }, body }, options),
  /** Switch off any automation of the project. */
  switchOff: (id: string, options?: Options) => call(op.switchOffAutomation, { path: { automation_id: id } }, options),
  /** Read what the automations of the project may use together, and what was used. */
  getBudget: (options?: Options) => call(op.getAutomationBudget, {}, options),
  /** Limit what the automations of the project may use together. */
  setBudget: (body: Body<'setAutomationBudget'>, options?: Options) => call(op.setAutomationBudget, { body }, options),
  /** Read what agents used in a month, by day, automation and person. */
  getUsage: (query: Query<'getModelUsage'> = {}, options?: Options) => call(op.getModelUsage, { query }, options),
  /** Read which model the agents of the project use. */
  getModel: (options?: Options) => call(op.getProjectModel, {}, options),
  /** Choose which model the agents of the project use. */
  setModel: (body: Body<'setProjectModel'>, options?: Options) => call(op.setProjectModel, { body }, options),
  /** Ask a model for one word. */
  testModel: (body: Body<'testProjectModel'> = {}, options?: Options) => call(op.testProjectModel, { body }, options),
})

import { Type } from 'typebox'
import { FilledText, Uuid } from '../../kernel/http/schema.ts'
import { defineTool, type Tool } from '../../kernel/slice.ts'
import { mayKnowOf } from '../conversations/index.ts'
import { ContextLink } from '../links/index.ts'
import * as actions from './actions.ts'
import { NAME_LENGTH, presentAutomation } from './automation.ts'
import { listAutomations } from './queries.ts'
import { presentRun, type Run } from './runs/run.ts'
import { listAutomationRuns, startRun } from './runs/runs.ts'
import { AutomationBody, AutomationParams, NewAutomationBody } from './schema.ts'
import { readChange, readValues } from './values.ts'

const domain = 'automations'
const LATEST_RUNS = 20

export const automationTools: Tool[] = [
  defineTool({
    name: 'list_automations',
    domain,
    kind: 'view',
    description: 'Lists the automations of the project, with their triggers and how many runs succeeded and failed.',
    input: Type.Object({
      name: Type.Optional(FilledText(NAME_LENGTH, { description: 'Part of the name.' })),
      enabled: Type.Optional(Type.Boolean({ description: 'Only those that are on, or off.' })),
    }),
    run: async ({ db, actor }, filters) => ({
      items: (await listAutomations(db, actor.projectId, filters)).map(presentAutomation),
    }),
  }),
  defineTool({
    name: 'get_automation',
    domain,
    kind: 'view',
    description: 'Reads an automation.',
    input: AutomationParams,
    run: async (ctx, { automation_id }) => presentAutomation(await actions.loadAutomation(ctx, automation_id)),
  }),
  defineTool({
    name: 'list_automation_runs',
    domain,
    kind: 'view',
    description: `Lists the latest ${LATEST_RUNS} runs of an automation: what started them, how they ended and what they changed.`,
    input: AutomationParams,
    async run(ctx, { automation_id }) {
      const { rows, total } = await listAutomationRuns(ctx, automation_id, undefined, LATEST_RUNS, 0)
      const { agent } = ctx
      const known = (run: Run) => run.changes.filter(({ resourceType }) => !agent || mayKnowOf(agent, resourceType))
      return { items: rows.map((run) => presentRun({ ...run, changes: known(run) })), total }
    },
  }),
  defineTool({
    name: 'create_automation',
    domain,
    kind: 'create',
    description:
      'Creates an automation that is on at once and belongs to the person you act for. A schedule needs "cron_expression" (five fields) or "preset"; other triggers take no config.',
    input: NewAutomationBody,
    run: async (ctx, values) => presentAutomation(await actions.createAutomation(ctx, readValues(values))),
  }),
  defineTool({
    name: 'update_automation',
    domain,
    kind: 'edit',
    description:
      'Changes the given values of an automation. "triggers", "tool_kit" and "integration_grants" are replaced as a whole. Of a built-in one only "enabled" can be changed.',
    input: Type.Object({ automation_id: Uuid, values: AutomationBody }),
    run: async (ctx, { automation_id, values }) =>
      presentAutomation(await actions.updateAutomation(ctx, automation_id, readChange(values))),
  }),
  defineTool({
    name: 'run_automation',
    domain,
    kind: 'create',
    description: 'Starts an automation by hand, optionally about one thing of the project. It runs later, by itself.',
    input: Type.Object({
      automation_id: Uuid,
      subject: Type.Optional(ContextLink),
      input: Type.Optional(FilledText(100_000, { description: 'What it should know besides its prompt.' })),
    }),
    run: async (ctx, { automation_id, subject, input }) =>
      presentRun(await startRun(ctx, automation_id, { about: subject, input: input ?? null })),
  }),
  defineTool({
    name: 'delete_automation',
    domain,
    kind: 'delete',
    description: 'Deletes an automation with its history for good. Only when you were asked to.',
    input: AutomationParams,
    async run(ctx, { automation_id }) {
      await actions.deleteAutomation(ctx, automation_id)
      return { deleted: automation_id }
    },
  }),
]

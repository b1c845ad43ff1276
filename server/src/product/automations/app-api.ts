import { Type } from 'typebox'
import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Kind, Nullable, named, Time } from '../../kernel/http/schema.ts'
import { BudgetBody, BudgetShape, presentLimits, readLimits } from '../conversations/index.ts'
import { presentAutomation } from './automation.ts'
import { loadProjectBudget, type ProjectBudget, setProjectBudget } from './budgets/project-budgets.ts'
import { registerAutomationRowRoutes } from './rows/app-api.ts'
import { registerRunPageRoutes } from './run-pages/app-api.ts'
import * as schema from './schema.ts'
import { switchOffAutomation } from './switching.ts'
import { registerUsageRoute } from './usage/usage-app-api.ts'

const tags = ['Automations']

const Used = Type.Object({ tokens: Type.Integer({ examples: [120_000] }), cost: Type.Number({ examples: [0.9] }) })
const ProjectBudgetData = Data(
  named(
    'ProjectAutomationBudget',
    Type.Object({
      object: Kind('automation_budget'),
      limits: BudgetShape,
      used: Type.Object({ day: Used, month: Used }),
      paused_reason: Nullable(Type.String({ examples: [null] })),
      paused_until: Nullable(Time),
    }),
  ),
)

const ExpectedBudget = Type.Object(BudgetBody.properties, {
  description: 'The limits that you want to replace. If they have changed since, the answer is 412.',
})

const presentProjectBudget = (budget: ProjectBudget) => ({
  object: 'automation_budget' as const,
  limits: presentLimits(budget.limits),
  used: budget.usage,
  paused_reason: budget.pausedReason,
  paused_until: budget.pausedUntil,
})

/** Routes that only signed-in people have. */
export function registerPeoplesAutomationRoutes(face: Face) {
  registerAutomationRowRoutes(face)
  registerRunPageRoutes(face)
  registerUsageRoute(face)

  face.post(
    '/automations/:automation_id/switch_off',
    operation({
      id: 'switchOffAutomation',
      summary: 'Switch off any automation of the project',
      description: 'For its owner and for project admins. A run in progress finishes; what waits is cancelled.',
      tags,
      params: schema.AutomationParams,
      answer: schema.AutomationData,
      optionalBody: true,
    }),
    async (req) => ({ data: presentAutomation(await switchOffAutomation(req.ctx, req.params.automation_id)) }),
  )

  face.get(
    '/automation_budget',
    operation({
      id: 'getAutomationBudget',
      summary: 'Read what the automations of the project may use together, and what was used',
      description: 'Conversations with people count as well, and pause as runs do.',
      tags,
      answer: ProjectBudgetData,
    }),
    async (req) => ({ data: presentProjectBudget(await loadProjectBudget(req.ctx)) }),
  )

  face.put(
    '/automation_budget',
    operation({
      id: 'setAutomationBudget',
      summary: 'Limit what the automations of the project may use together',
      description: 'Only project admins.',
      tags,
      body: Type.Object({ ...BudgetBody.properties, expected: Type.Optional(ExpectedBudget) }),
      answer: ProjectBudgetData,
      refuses: [412],
    }),
    async ({ ctx, body }) => {
      const expected = body.expected && readLimits(body.expected)
      return { data: presentProjectBudget(await setProjectBudget(ctx, readLimits(body), expected)) }
    },
  )
}

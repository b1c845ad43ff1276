import type { Actor, Ctx } from '../../../kernel/context.ts'
import { sendTogether } from '../../../kernel/database/index.ts'
import { listMonthUsage, type PeriodUsage } from '../../conversations/index.ts'
import { mayWrite } from '../../projects/index.ts'
import type { Automation } from '../automation.ts'
import { mayCancel, mayUpdate } from '../policy.ts'
import { listAutomations } from '../queries.ts'
import * as queries from './row-queries.ts'

export interface May {
  /** Change it, start it and switch it on. */
  edit: boolean
  switchOff: boolean
  /** Decide about what its runs propose, undo and cancel them. */
  review: boolean
}

export const mayOf = (actor: Actor, automation: Pick<Automation, 'owner' | 'builtIn'>): May => {
  const writes = mayWrite(actor)
  const reviews = writes && mayCancel(actor, automation)
  return { edit: writes && mayUpdate(actor, automation), switchOff: reviews, review: reviews }
}

export interface AutomationRow {
  automation: Automation
  lastRun: queries.LastRun | undefined
  days: queries.DayOfRuns[]
  waiting: queries.WaitingRun[]
  month: PeriodUsage
  may: May
}

/** All automations with everything that a list shows of them. */
export async function listAutomationRows({ db, actor }: Ctx): Promise<AutomationRow[]> {
  const { projectId } = actor
  const [lastRuns, days, waiting, usage] = await sendTogether([
    queries.listLastRuns(db, projectId),
    queries.listDaysOfRuns(db, projectId),
    queries.listWaitingForReview(db, projectId),
    listMonthUsage(db, projectId),
  ])
  const isOf = (id: string) => (one: { automationId: string }) => one.automationId === id
  return (await listAutomations(db, projectId, {})).map((automation) => ({
    automation,
    lastRun: lastRuns.find(isOf(automation.id)),
    days: days.filter(isOf(automation.id)),
    waiting: waiting.filter(isOf(automation.id)),
    month: usage.find(isOf(automation.id)) ?? { tokens: 0, cost: 0 },
    may: mayOf(actor, automation),
  }))
}

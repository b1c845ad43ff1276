import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { AppError, conflict, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import {
  checkBudgets,
  deleteBudget,
  isLimited,
  presentLimits,
  setLimits,
  type ToolKit,
} from '../conversations/index.ts'
import { checkGrants } from '../integrations/index.ts'
import { listAdminIds } from '../projects/index.ts'
import {
  type Automation,
  type AutomationChange,
  type AutomationValues,
  type GrantDraft,
  presentFields,
} from './automation.ts'
import { boundChange, boundValues, payersOf, refuseOwn } from './bounds.ts'
import { BUILT_INS } from './built-in.ts'
import { chainFault } from './chain-limits.ts'
import { automationEvents } from './events.ts'
import { authorizeChange, authorizeCreate, authorizeDelete } from './policy.ts'
import * as queries from './queries.ts'
import { lineageOf } from './runs/lineage.ts'
import { hasActiveRun } from './runs/run-queries.ts'
import { setParallel } from './runs/run-writes.ts'
import { cancelWaitingRuns } from './runs/waiting-runs.ts'
import { arrangeTriggers } from './triggers/triggers.ts'
import { wakeDispatchers } from './wake-queries.ts'
import * as writes from './writes.ts'

export async function loadAutomation(ctx: Ctx, id: string): Promise<Automation> {
  const automation = await queries.findAutomation(ctx.db, ctx.actor.projectId, id)
  if (!automation) throw notFound('automation', id)
  return automation
}

export async function lockAutomation(ctx: TxCtx, id: string): Promise<Automation> {
  const automation = await queries.lockAutomation(ctx.db, ctx.actor.projectId, id)
  if (!automation) throw notFound('automation', id)
  return automation
}

export async function createAutomation(ctx: Ctx, values: AutomationValues): Promise<Automation> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId, userId } = ctx.actor
    authorizeCreate(ctx.actor)
    const {
      triggers,
      grants,
      budget,
      concurrency = null,
      approval = 'none',
      enabled = true,
      ...columns
    } = boundValues(ctx, values)
    await checkOwnersGrants(ctx, userId, grants)
    const chain = await continueChain(ctx, 'automation')
    const id = uuidv7()
    await writes.insertAutomation(ctx.db, projectId, {
      id,
      builtIn: null,
      ownerId: userId,
      enabled,
      chain,
      payerIds: ctx.agent ? payersOf(ctx.agent) : [],
      concurrency,
      approval,
      ...columns,
    })
    await writes.replaceTriggers(
      ctx.db,
      projectId,
      id,
      arrangeTriggers(triggers, [], enabled, await queries.readClock(ctx.db)),
    )
    await writes.replaceGrants(ctx.db, projectId, id, grants)
    if (budget && isLimited(budget)) {
      await setLimits(ctx.db, projectId, id, budget)
      await checkBudgets(ctx, { ...ctx.actor, automation: { id, name: columns.name, owner: { id: userId! } } })
    }
    await recordEvent(ctx, automationEvents.created(id, { name: columns.name }))
    await wakeDispatchers(ctx.db)
    return loadAutomation(ctx, id)
  })
}

/** Changes only what is given. Giving an unchanged value records nothing. */
export async function updateAutomation(
  ctx: Ctx,
  id: string,
  wanted: AutomationChange,
  seenAt?: string,
): Promise<Automation> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await lockAutomation(ctx, id)
    authorizeChange(ctx.actor, before, wanted)
    if (seenAt !== undefined && seenAt !== before.updatedAt)
      throw new AppError(
        412,
        'precondition_failed',
        `The automation was changed at ${before.updatedAt}, after ${seenAt}. Read it again, then send "${before.updatedAt}" as "expected_updated_at".`,
      )
    const change = boundChange(ctx, before, (await leadingTo(ctx)).lineage, wanted)
    const { grants } = change
    if (grants) await checkOwnersGrants(ctx, before.owner?.id ?? null, grants)

    const after = {
      name: change.name ?? before.name,
      enabled: change.enabled ?? before.enabled,
      userPrompt: change.userPrompt ?? before.userPrompt,
      toolKit: change.toolKit ?? before.toolKit,
      model: change.model === undefined ? before.model : change.model,
      concurrency: change.concurrency === undefined ? before.concurrency : change.concurrency,
      approval: change.approval ?? before.approval,
    }
    const triggers = arrangeTriggers(
      change.triggers ?? before.triggers,
      before.triggers,
      after.enabled,
      await queries.readClock(ctx.db),
    )
    const { budget = before.budget } = change
    const fields = changedFields(before, { ...after, triggers, grants, budget })
    if (fields.length === 0) return before
    if (fields.includes('budget')) {
      await setLimits(ctx.db, projectId, id, budget)
      // Less than was used already pauses at once.
      await checkBudgets(ctx, { ...ctx.actor, automation: before })
    }
    // The code defines the prompt and the permissions of a built-in automation.
    const stored = before.builtIn === null ? after : { ...after, userPrompt: '', toolKit: {} }
    await writes.updateAutomation(ctx.db, projectId, id, stored)
    await writes.replaceTriggers(ctx.db, projectId, id, triggers)
    if (grants) await writes.replaceGrants(ctx.db, projectId, id, grants)
    if (ctx.agent && fields.some((field) => field !== 'name' && field !== 'enabled')) {
      const payers = new Set([...before.payerIds, ...payersOf(ctx.agent)])
      await writes.joinChain(ctx.db, projectId, id, (await continueChain(ctx, 'change'))!, [...payers])
    }
    // A person who changes it, or switches it on again, has taken it over.
    if (!ctx.agent && (after.enabled || fields.some((field) => field !== 'enabled')))
      await writes.leaveChain(ctx.db, projectId, id)
    if (!after.enabled) await cancelWaitingRuns(ctx, id)
    if (fields.includes('concurrency')) await setParallel(ctx.db, projectId, id, after.concurrency === 'parallel')
    await recordEvent(ctx, automationEvents.updated(id, { fields: presentFields(fields) }))
    await wakeDispatchers(ctx.db)
    return loadAutomation(ctx, id)
  })
}

export function deleteAutomation(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const automation = await lockAutomation(ctx, id)
    authorizeDelete(ctx.actor, automation)
    refuseOwn(ctx, automation, (await leadingTo(ctx)).lineage)
    if (await hasActiveRun(ctx.db, projectId, id))
      throw conflict('run_active', 'A run of this automation is going on or waiting. Cancel it or let it finish first.')
    await writes.deleteAutomation(ctx.db, projectId, id)
    await deleteBudget(ctx.db, projectId, id)
    await recordEvent(ctx, automationEvents.deleted(id, { name: automation.name }))
  })
}

/**
 * Adds the automations that every project starts with, disabled. They belong to the first admin who joins; see
 * `handOverBuiltIns`.
 */
export async function addBuiltIns(ctx: TxCtx): Promise<void> {
  const { projectId } = ctx.actor
  for (const { builtIn, name, triggerType } of BUILT_INS) {
    const id = uuidv7()
    const columns = {
      name,
      enabled: false,
      userPrompt: '',
      toolKit: {},
      model: null,
      concurrency: null,
      approval: 'none' as const,
    }
    await writes.insertAutomation(ctx.db, projectId, { id, builtIn, ownerId: null, ...columns })
    const draft = { triggerType, cronExpression: null, timezone: null, preset: null }
    await writes.replaceTriggers(
      ctx.db,
      projectId,
      id,
      arrangeTriggers([draft], [], false, await queries.readClock(ctx.db)),
    )
    await recordEvent(ctx, automationEvents.created(id, { name }))
  }
}

/** Built-in automations belong to an admin of the project: when theirs is none any more, to the one who came first. */
export async function handOverBuiltIns({ db, actor: { projectId } }: TxCtx): Promise<void> {
  const adminIds = await listAdminIds(db, projectId)
  await writes.handOverBuiltIns(db, projectId, adminIds)
}

/** An automation without an owner cannot have grants. */
const checkOwnersGrants = (ctx: Ctx, ownerId: string | null, grants: GrantDraft[]) =>
  checkGrants(
    ctx,
    ownerId ?? '00000000-0000-0000-0000-000000000000',
    grants.map(({ id }) => id),
  )

const leadingTo = ({ db, actor, requestId, agent }: Ctx) =>
  lineageOf(db, { projectId: actor.projectId, origin: actor.origin, requestId, agent })

/** What an agent makes or changes belongs to the chain that led to it, as long as that may go on. */
async function continueChain(ctx: TxCtx, what: 'automation' | 'change') {
  const { chainId, depth } = await leadingTo(ctx)
  if (chainId === null) return undefined
  const fault = await chainFault(ctx, { chainId, depth }, what)
  if (fault !== undefined) throw conflict('chain_limit', fault)
  return { chainId, depth }
}

interface Comparable {
  name: string
  enabled: boolean
  userPrompt: string
  toolKit: ToolKit
  model: string | null
  triggers: Automation['triggers']
  grants: GrantDraft[] | undefined
  concurrency: Automation['concurrency']
  approval: Automation['approval']
  budget: Automation['budget']
}

function changedFields(before: Automation, after: Comparable): (keyof AutomationChange)[] {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const idsOf = (all: { id: string }[]) => all.map((one) => one.id)
  const unchanged: Record<keyof AutomationChange, boolean> = {
    name: before.name === after.name,
    enabled: before.enabled === after.enabled,
    userPrompt: before.userPrompt === after.userPrompt,
    toolKit: same(kitText(before.toolKit), kitText(after.toolKit)),
    model: before.model === after.model,
    concurrency: before.concurrency === after.concurrency,
    approval: before.approval === after.approval,
    budget: same(presentLimits(before.budget), presentLimits(after.budget)),
    triggers: same(idsOf(before.triggers), idsOf(after.triggers)),
    grants: after.grants === undefined || same(grantTexts(before.grants), [...new Set(grantTexts(after.grants))]),
  }
  return (Object.keys(unchanged) as (keyof AutomationChange)[]).filter((field) => !unchanged[field])
}

const grantTexts = (grants: GrantDraft[]) => grants.map(({ id, tools }) => JSON.stringify([id, tools]))

const kitText = (kit: ToolKit) =>
  Object.entries(kit)
    .filter(([, restrictions]) => restrictions.length > 0)
    .map(([domain, restrictions]) => `${domain} ${[...restrictions].sort().join(' ')}`)
    .sort()

import type { ToolKit } from '../conversations/index.ts'
import { checkGrants } from '../integrations/index.ts'
import type { Ctx, TxCtx } from '../kernel/context.ts'
import { inTransaction } from '../kernel/database/index.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { type Automation, type AutomationChange, type AutomationValues, presentFields } from './automation.ts'
import { BUILT_INS } from './built-in.ts'
import { readClock } from './dispatcher/clock-queries.ts'
import { wakeDispatchers } from './dispatcher/wake-queries.ts'
import { authorizeChange, authorizeDelete, authorizeWrite } from './policy.ts'
import * as queries from './queries.ts'
import { hasActiveRun } from './runs/run-queries.ts'
import { cancelWaitingRuns } from './runs/waiting-runs.ts'
import { arrangeTriggers } from './triggers/triggers.ts'
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
  const { triggers, grants, ...columns } = values
  return inTransaction(ctx, async (ctx) => {
    const { projectId, userId } = ctx.actor
    authorizeWrite(ctx.actor)
    await checkOwnersGrants(ctx, userId, grants)
    const id = uuidv7()
    await writes.insertAutomation(ctx.db, projectId, {
      id,
      builtIn: null,
      ownerId: userId,
      enabled: true,
      ...columns,
    })
    await writes.replaceTriggers(ctx.db, projectId, id, arrangeTriggers(triggers, [], true, await readClock(ctx.db)))
    await writes.replaceGrants(ctx.db, projectId, id, grants)
    await recordEvent(ctx, {
      kind: 'automation.created',
      subjectType: 'automation',
      subjectId: id,
      payload: { name: columns.name },
    })
    await wakeDispatchers(ctx.db)
    return loadAutomation(ctx, id)
  })
}

/** Changes only what is given. Giving an unchanged value records nothing. */
export async function updateAutomation(ctx: Ctx, id: string, change: AutomationChange): Promise<Automation> {
  const { grants } = change
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await lockAutomation(ctx, id)
    authorizeChange(ctx.actor, before, change)
    if (grants) await checkOwnersGrants(ctx, before.owner?.id ?? null, grants)

    const after = {
      name: change.name ?? before.name,
      enabled: change.enabled ?? before.enabled,
      userPrompt: change.userPrompt ?? before.userPrompt,
      toolKit: change.toolKit ?? before.toolKit,
      model: change.model === undefined ? before.model : change.model,
    }
    const triggers = arrangeTriggers(
      change.triggers ?? before.triggers,
      before.triggers,
      after.enabled,
      await readClock(ctx.db),
    )
    const fields = changedFields(before, { ...after, triggers, grants })
    if (fields.length === 0) return before
    // The code defines the prompt and the permissions of a built-in automation.
    const stored = before.builtIn === null ? after : { ...after, userPrompt: '', toolKit: {} }
    await writes.updateAutomation(ctx.db, projectId, id, stored)
    await writes.replaceTriggers(ctx.db, projectId, id, triggers)
    if (grants) await writes.replaceGrants(ctx.db, projectId, id, grants)
    if (!after.enabled) await cancelWaitingRuns(ctx, id)
    await recordEvent(ctx, {
      kind: 'automation.updated',
      subjectType: 'automation',
      subjectId: id,
      payload: { fields: presentFields(fields) },
    })
    await wakeDispatchers(ctx.db)
    return loadAutomation(ctx, id)
  })
}

export function deleteAutomation(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const automation = await lockAutomation(ctx, id)
    authorizeDelete(ctx.actor, automation)
    if (await hasActiveRun(ctx.db, projectId, id))
      throw conflict('run_active', 'A run of this automation is going on or waiting. Cancel it or let it finish first.')
    await writes.deleteAutomation(ctx.db, projectId, id)
    await recordEvent(ctx, {
      kind: 'automation.deleted',
      subjectType: 'automation',
      subjectId: id,
      payload: { name: automation.name },
    })
  })
}

/**
 * Adds the automations that every project starts with, disabled. The database makes the first admin who joins their
 * owner.
 */
export async function addBuiltIns(ctx: TxCtx): Promise<void> {
  const { projectId } = ctx.actor
  for (const { builtIn, name, triggerType } of BUILT_INS) {
    const id = uuidv7()
    const columns = { name, enabled: false, userPrompt: '', toolKit: {}, model: null }
    await writes.insertAutomation(ctx.db, projectId, { id, builtIn, ownerId: null, ...columns })
    const draft = { triggerType, cronExpression: null, timezone: null, preset: null }
    await writes.replaceTriggers(ctx.db, projectId, id, arrangeTriggers([draft], [], false, await readClock(ctx.db)))
    await recordEvent(ctx, { kind: 'automation.created', subjectType: 'automation', subjectId: id, payload: { name } })
  }
}

/** An automation without an owner cannot have grants. */
const checkOwnersGrants = (ctx: Ctx, ownerId: string | null, ids: string[]) =>
  checkGrants(ctx, ownerId ?? '00000000-0000-0000-0000-000000000000', ids)

interface Comparable {
  name: string
  enabled: boolean
  userPrompt: string
  toolKit: ToolKit
  model: string | null
  triggers: Automation['triggers']
  grants: string[] | undefined
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
    triggers: same(idsOf(before.triggers), idsOf(after.triggers)),
    grants: after.grants === undefined || same(idsOf(before.grants), [...new Set(after.grants)]),
  }
  return (Object.keys(unchanged) as (keyof AutomationChange)[]).filter((field) => !unchanged[field])
}

const kitText = (kit: ToolKit) =>
  Object.entries(kit)
    .filter(([, restrictions]) => restrictions.length > 0)
    .map(([domain, restrictions]) => `${domain} ${[...restrictions].sort().join(' ')}`)
    .sort()

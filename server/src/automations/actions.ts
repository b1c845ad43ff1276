import { type ToolKit, toToolKit } from '../conversations/index.ts'
import { checkGrants } from '../integrations/index.ts'
import type { Ctx } from '../kernel/context.ts'
import { inTransaction, type Tx } from '../kernel/database/index.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { authorizeWrite } from '../projects/index.ts'
import type { Automation } from './automation.ts'
import { BUILT_INS } from './built-in.ts'
import { readClock } from './dispatcher/clock.ts'
import { wakeDispatchers } from './dispatcher/wake.ts'
import { authorizeUpdate, refuseBuiltIn } from './policy.ts'
import * as queries from './queries.ts'
import { hasActiveRun } from './runs/run-queries.ts'
import { cancelWaitingRuns } from './runs/waiting-runs.ts'
import { arrangeTriggers, resolveTriggers, type TriggerRequest } from './triggers/triggers.ts'
import * as writes from './writes.ts'

/** As a request carries them. */
export interface AutomationValues {
  name: string
  user_prompt: string
  triggers: TriggerRequest[]
  tool_kit?: Parameters<typeof toToolKit>[0]
  integration_grants?: (string | { id: string })[]
  model?: string | null
}

export type AutomationChange = Partial<AutomationValues> & { enabled?: boolean }

export async function loadAutomation(ctx: Ctx, id: string): Promise<Automation> {
  const automation = await queries.findAutomation(ctx.db, ctx.actor.projectId, id)
  if (!automation) throw notFound('automation', id)
  return automation
}

export async function lockAutomation(ctx: Ctx & { db: Tx }, id: string): Promise<Automation> {
  const automation = await queries.lockAutomation(ctx.db, ctx.actor.projectId, id)
  if (!automation) throw notFound('automation', id)
  return automation
}

export async function createAutomation(ctx: Ctx, values: AutomationValues): Promise<Automation> {
  const drafts = resolveTriggers(values.triggers)
  const grants = grantIds(values.integration_grants ?? [])
  return inTransaction(ctx, async (ctx) => {
    const { projectId, userId } = ctx.actor
    authorizeWrite(ctx.actor)
    await checkOwnersGrants(ctx, userId, grants)
    const id = uuidv7()
    await writes.insertAutomation(ctx.db, projectId, {
      id,
      builtIn: null,
      ownerId: userId,
      name: values.name,
      enabled: true,
      userPrompt: values.user_prompt,
      toolKit: values.tool_kit ? toToolKit(values.tool_kit) : {},
      model: values.model ?? null,
    })
    await writes.replaceTriggers(ctx.db, projectId, id, arrangeTriggers(drafts, [], true, await readClock(ctx.db)))
    await writes.replaceGrants(ctx.db, projectId, id, grants)
    await recordEvent(ctx, {
      kind: 'automation.created',
      subjectType: 'automation',
      subjectId: id,
      payload: { name: values.name },
    })
    await wakeDispatchers(ctx.db)
    return loadAutomation(ctx, id)
  })
}

/** Only what is given changes; what is given again as it was leaves no trace. */
export async function updateAutomation(ctx: Ctx, id: string, change: AutomationChange): Promise<Automation> {
  const drafts = change.triggers && resolveTriggers(change.triggers)
  const grants = change.integration_grants && grantIds(change.integration_grants)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await lockAutomation(ctx, id)
    const other = Object.keys(change).filter((field) => field !== 'enabled')
    // Before who asks is looked at: nobody may, so nobody is sent to its owner for it.
    if (before.builtIn !== null && other.length > 0) throw refuseBuiltIn(other)
    authorizeUpdate(ctx.actor, before)
    if (grants) await checkOwnersGrants(ctx, before.owner?.id ?? null, grants)

    const after = {
      name: change.name ?? before.name,
      enabled: change.enabled ?? before.enabled,
      userPrompt: change.user_prompt ?? before.userPrompt,
      toolKit: change.tool_kit ? toToolKit(change.tool_kit) : before.toolKit,
      model: change.model === undefined ? before.model : change.model,
    }
    const triggers = arrangeTriggers(drafts ?? before.triggers, before.triggers, after.enabled, await readClock(ctx.db))
    const fields = changedFields(before, { ...after, triggers, grants: grants && [...new Set(grants)] })
    if (fields.length === 0) return before
    // What a built-in one is told and may do stands in the code.
    const stored = before.builtIn === null ? after : { ...after, userPrompt: '', toolKit: {} }
    await writes.updateAutomation(ctx.db, projectId, id, stored)
    await writes.replaceTriggers(ctx.db, projectId, id, triggers)
    if (grants) await writes.replaceGrants(ctx.db, projectId, id, grants)
    if (!after.enabled) await cancelWaitingRuns(ctx, id)
    await recordEvent(ctx, {
      kind: 'automation.updated',
      subjectType: 'automation',
      subjectId: id,
      payload: { fields },
    })
    await wakeDispatchers(ctx.db)
    return loadAutomation(ctx, id)
  })
}

export function deleteAutomation(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const automation = await lockAutomation(ctx, id)
    authorizeUpdate(ctx.actor, automation)
    if (automation.builtIn !== null) throw refuseBuiltIn(['delete'])
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

/** What every project has from its beginning, switched off. The database gives it to the first admin who joins. */
export async function addBuiltIns(ctx: Ctx & { db: Tx }): Promise<void> {
  const { projectId } = ctx.actor
  for (const { builtIn, name, triggerType } of BUILT_INS) {
    const id = uuidv7()
    const columns = { name, enabled: false, userPrompt: '', toolKit: {}, model: null }
    await writes.insertAutomation(ctx.db, projectId, { id, builtIn, ownerId: null, ...columns })
    const draft = { triggerType, cronExpression: null, timezone: null, preset: null }
    await writes.replaceTriggers(ctx.db, projectId, id, arrangeTriggers([draft], [], false, await readClock(ctx.db)))
  }
}

const grantIds = (grants: (string | { id: string })[]) => grants.map((one) => (typeof one === 'string' ? one : one.id))

/** Nobody has connected nothing: an automation without an owner takes no grants. */
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

function changedFields(before: Automation, after: Comparable): string[] {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const beforeGrants = before.grants.map((one) => one.id)
  return [
    ['name', before.name === after.name],
    ['enabled', before.enabled === after.enabled],
    ['user_prompt', before.userPrompt === after.userPrompt],
    ['tool_kit', same(kitText(before.toolKit), kitText(after.toolKit))],
    ['model', before.model === after.model],
    [
      'triggers',
      same(
        before.triggers.map((one) => one.id),
        after.triggers.map((one) => one.id),
      ),
    ],
    ['integration_grants', after.grants === undefined || same(beforeGrants, after.grants)],
  ].flatMap(([field, unchanged]) => (unchanged ? [] : [field as string]))
}

const kitText = (kit: ToolKit) =>
  Object.entries(kit)
    .filter(([, restrictions]) => restrictions.length > 0)
    .map(([domain, restrictions]) => `${domain} ${[...restrictions].sort().join(' ')}`)
    .sort()

import type { Ctx } from '../../../../kernel/context.ts'
import { notFound } from '../../../../kernel/errors.ts'
import {
  type ConversationEvent,
  type Deed,
  findChangedSince,
  listDeeds,
  listEventsAfter,
  MAX_EVENTS_AFTER,
  readProgress,
} from '../../../conversations/index.ts'
import { loadAutomation } from '../../actions.ts'
import type { Automation } from '../../automation.ts'
import { mayOf } from '../../rows/rows.ts'
import { isFinished, type Run } from '../run.ts'
import { findRun } from '../run-queries.ts'
import * as queries from './page-queries.ts'

/** What others changed of what a proposal would change, and who did last. */
export interface ChangedSince {
  now: Record<string, unknown>
  by: string | null
  at: string | null
}

export interface ShownWrite {
  deed: Deed
  thing: queries.Thing | undefined
  decidedBy: { id: string; name: string } | undefined
  changedSince: ChangedSince | undefined
}

export async function loadRunOfProject(ctx: Ctx, id: string): Promise<{ run: Run; automation: Automation }> {
  const run = await findRun(ctx.db, ctx.actor.projectId, id)
  if (!run) throw notFound('run', id)
  return { run, automation: await loadAutomation(ctx, run.automationId) }
}

const NOTHING_SAID = { text: null, toolCalls: 0, lastTool: null, lastAt: null }

/** A run with all that its page shows, except the calls of its tools. */
export async function readRunPage(ctx: Ctx, id: string) {
  const { db, actor } = ctx
  const { run, automation } = await loadRunOfProject(ctx, id)
  const deeds = await listDeeds(db, actor.projectId, run.id)
  const progress =
    run.conversationId === null ? NOTHING_SAID : await readProgress(db, actor.projectId, run.conversationId)
  return {
    run,
    automation,
    progress,
    writes: await describeWrites(ctx, run, deeds),
    retries: await queries.listRetries(db, actor.projectId, run.id),
    may: mayOf(actor, automation),
  }
}

async function describeWrites(ctx: Ctx, run: Run, deeds: Deed[]): Promise<ShownWrite[]> {
  const { db, actor } = ctx
  const known = <T>(values: (T | null)[]) => [...new Set(values.filter((one) => one !== null))]
  const named = new Map<string, Record<string, unknown>>()
  if (isFinished(run.status))
    for (const deed of deeds) {
      const now = deed.status === 'proposed' ? await findChangedSince(ctx, deed, deeds) : undefined
      if (now) named.set(deed.id, now)
    }
  const stale = deeds.filter(({ id }) => named.has(id)).map(({ resourceId }) => resourceId!)
  const things = await queries.listThings(db, actor.projectId, known(deeds.map(({ resourceId }) => resourceId)))
  const people = await queries.listNames(db, known(deeds.map(({ decidedBy }) => decidedBy)))
  const touches = stale.length > 0 ? await queries.listLastTouches(db, actor.projectId, stale) : []
  return deeds.map((deed) => {
    const now = named.get(deed.id)
    const touch = touches.find(({ id }) => id === deed.resourceId)
    return {
      deed,
      thing: things.find(({ id }) => id === deed.resourceId),
      decidedBy: people.find(({ id }) => id === deed.decidedBy),
      changedSince: now && { now, by: touch?.name ?? null, at: touch?.at ?? null },
    }
  })
}

/** The longest text of a call that is shown. */
const LONGEST = 10_000

/**
 * What the agent of a run said and called after an event. What tools of integrations were asked and answered may be known
 * to the owner only, so it is left out for members who do not look after the automation.
 */
export async function readActivity(ctx: Ctx, id: string, after: number) {
  const { run, automation } = await loadRunOfProject(ctx, id)
  if (run.conversationId === null) return { events: [], last: after, isWhole: true }
  const found = await listEventsAfter(ctx.db, ctx.actor.projectId, run.conversationId, after)
  const seesAll = mayOf(ctx.actor, automation).review || automation.owner?.id === ctx.actor.userId
  const isShown = ({ toolName }: ConversationEvent) =>
    seesAll || toolName === null || ctx.wiring.tools.get(toolName) !== undefined
  const taken = fitting(found)
  return {
    events: taken.map((event) => ({
      ...event,
      text: isShown(event) ? event.text.slice(0, LONGEST) : null,
      isCut: event.text.length > LONGEST,
    })),
    last: taken.at(-1)?.number ?? after,
    isWhole: taken.length === found.length && found.length < MAX_EVENTS_AFTER,
  }
}

const MOST_CHARACTERS = 400_000

/** As many as one answer holds, at least one. */
function fitting(events: ConversationEvent[]): ConversationEvent[] {
  let room = MOST_CHARACTERS
  const taken = events.filter(({ text }) => {
    room -= Math.min(text.length, LONGEST)
    return room > 0
  })
  return taken.length > 0 ? taken : events.slice(0, 1)
}

import type { Ctx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { EventStream } from '../../../kernel/http/answers/event-stream.ts'
import {
  type ChangedSince,
  type ConversationEvent,
  type Deed,
  describeChangedSince,
  followAgent,
  listDeeds,
  listEventsAfter,
  MAX_EVENTS_AFTER,
  readProgress,
} from '../../conversations/index.ts'
import { loadAutomation } from '../actions.ts'
import type { Automation } from '../automation.ts'
import { mayOf } from '../rows/rows.ts'
import { isFinished, type Run } from '../runs/run.ts'
import { findRun } from '../runs/run-queries.ts'
import * as queries from './page-queries.ts'

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
  const changed = isFinished(run.status) ? await describeChangedSince(ctx, deeds) : undefined
  const things = await queries.listThings(db, actor.projectId, known(deeds.map(({ resourceId }) => resourceId)))
  const people = await queries.listNames(db, known(deeds.map(({ decidedBy }) => decidedBy)))
  return deeds.map((deed) => ({
    deed,
    thing: things.find(({ id }) => id === deed.resourceId),
    decidedBy: people.find(({ id }) => id === deed.decidedBy),
    changedSince: changed?.get(deed.id),
  }))
}

/** The longest text of a call that is shown. */
const LONGEST = 10_000

/**
 * Cuts an event to what the page of a run shows. What tools of integrations were asked and answered may be known to the owner
 * only, so it is left out for members who do not look after the automation.
 */
function shownTo(ctx: Ctx, automation: Automation) {
  const seesAll = mayOf(ctx.actor, automation).review || automation.owner?.id === ctx.actor.userId
  return (event: ConversationEvent) => {
    const isShown = seesAll || event.toolName === null || ctx.wiring.tools.get(event.toolName) !== undefined
    return { ...event, text: isShown ? event.text.slice(0, LONGEST) : null, isCut: event.text.length > LONGEST }
  }
}

export type ShownEvent = ReturnType<ReturnType<typeof shownTo>>

/** What the agent of a run said and called after an event. */
export async function readActivity(ctx: Ctx, id: string, after: number) {
  const { run, automation } = await loadRunOfProject(ctx, id)
  if (run.conversationId === null) return { events: [], last: after, isWhole: true }
  const found = await listEventsAfter(ctx.db, ctx.actor.projectId, run.conversationId, after)
  const taken = fitting(found)
  return {
    events: taken.map(shownTo(ctx, automation)),
    last: taken.at(-1)?.number ?? after,
    isWhole: taken.length === found.length && found.length < MAX_EVENTS_AFTER,
  }
}

/** Streams what a run says and calls until it has ended. */
export const followRun = (
  ctx: Ctx,
  id: string,
  after: number,
  stream: EventStream,
  present: (event: ShownEvent) => object,
) =>
  followAgent(ctx, after, stream, async () => {
    const { run, automation } = await loadRunOfProject(ctx, id)
    const shown = shownTo(ctx, automation)
    return {
      conversationId: run.conversationId,
      end: isFinished(run.status) ? { status: run.status } : undefined,
      present: (event) => present(shown(event)),
      status: run.status,
    }
  })

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

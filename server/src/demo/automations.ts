import type { Ctx } from '../kernel/context.ts'
import {
  type AutomationValues,
  createAutomation,
  listAutomations,
  type TriggerType,
  updateAutomation,
} from '../product/automations/index.ts'
import { BLUEPRINT_KIND } from '../product/blueprints/index.ts'
import { type Restriction, TOOL_DOMAINS, type ToolKit, type TurnEvent } from '../product/conversations/index.ts'
import { REQUIREMENTS_KIND } from '../product/requirements/index.ts'
import { changeWorkOrder } from '../product/work-orders/index.ts'
import { type Entry, entriesOf, listOf, type Note } from './content.ts'
import { editDocument, suggestChange } from './documents.ts'
import { type PlannedRun, planRun } from './runs.ts'
import { storyTime } from './story-time.ts'
import { eventOf } from './talks.ts'
import type { World } from './world.ts'

const MODEL = 'claude-sonnet-4-5'

export function planAutomations(world: World): void {
  const { story, cast, deps, project, ids } = world
  story.plan('Oct 16 09:00', async () => {
    const [triage] = await listAutomations(deps.db, project.id, { name: 'Feedback triage' })
    ids.set('automation Feedback triage', triage!.id)
  })
  // Last, although it was early: a server that is running starts it for every report that comes in after this.
  story.plan('Nov 15 22:45', async () => {
    await updateAutomation(await cast.as('Ada'), ids.get('automation Feedback triage'), { enabled: true })
  })
  for (const entry of entriesOf('automations.md')) planAutomation(world, entry)
}

function planAutomation(world: World, entry: Entry): void {
  const { story, cast, ids } = world
  const { by, at, off } = entry.fields
  story.plan(at!, async () => {
    const automation = await createAutomation(await cast.as(by!), valuesOf(world, entry))
    ids.set(`automation ${entry.name}`, automation.id)
  })
  if (off)
    story.plan(off, async () => {
      await updateAutomation(await cast.as(by!), ids.get(`automation ${entry.name}`), { enabled: false })
    })
  for (const run of runsOf(world, entry)) planRun(world, run)
}

function valuesOf({ ids }: World, { name, fields, text }: Entry): AutomationValues {
  const schedule = { triggerType: 'schedule' as const, timezone: 'Europe/Amsterdam', preset: null }
  const others = listOf(fields.triggers).map((triggerType) => ({
    triggerType: triggerType as TriggerType,
    cronExpression: null,
    timezone: null,
    preset: null,
  }))
  return {
    name,
    userPrompt: text,
    triggers: [{ ...schedule, cronExpression: fields.cron! }, ...others],
    toolKit: kitOf(fields.may),
    grants: listOf(fields.grants).map((grant) => ({ id: ids.get(`integration ${grant}`), tools: null })),
    model: null,
  }
}

/** "blueprints view edit; artifacts view": what it may do. Everything else is forbidden. */
function kitOf(may: string | undefined): ToolKit {
  const allowed = new Map(
    listOf(may, ';').map((one) => {
      const [domain, ...verbs] = one.split(' ')
      return [domain!, verbs]
    }),
  )
  return Object.fromEntries(
    TOOL_DOMAINS.map((domain): [string, Restriction[]] => {
      const verbs = allowed.get(domain)
      if (!verbs) return [domain, ['cannot_view']]
      return [
        domain,
        ['create', 'edit', 'delete'].flatMap((one) => (verbs.includes(one) ? [] : `cannot_${one}`)) as Restriction[],
      ]
    }),
  )
}

/** "@@ run" is one run with what follows it; "@@ history" lists others, a line each. */
function runsOf(world: World, { name, fields, notes, text }: Entry): PlannedRun[] {
  const base = { automation: name, owner: fields.by!, model: MODEL }
  const runs: PlannedRun[] = []
  for (const [index, note] of notes.entries()) {
    if (note.kind === 'history') runs.push(...historyOf(note).map((run) => ({ ...base, ...run })))
    if (note.kind !== 'run') continue
    const rest = notes.slice(index + 1)
    const end = rest.findIndex((one) => one.kind === 'run' || one.kind === 'history')
    runs.push({ ...base, ...runOf(world, note, end === -1 ? rest : rest.slice(0, end), text) })
  }
  return runs
}

type RunPart = Omit<PlannedRun, 'automation' | 'owner' | 'model'>

/** "@@ run schedule, Nov 13 07:30, 107, failed, Drift check of November 13"; its text is the error. */
function runOf(world: World, { words, text }: Note, work: Note[], prompt: string): RunPart {
  const [trigger, at, seconds, status, title, retryOf] = words
  const events = work.flatMap(eventOf)
  const deeds = work.filter((one) => ['suggest', 'edit', 'connect'].includes(one.kind))
  return {
    trigger: trigger as TriggerType,
    at: storyTime(at!),
    seconds: Number(seconds),
    status: status as PlannedRun['status'],
    error: text === '' ? undefined : text,
    retryOf: retryOf ? storyTime(retryOf) : undefined,
    act: deeds.length > 0 ? (ctx) => act(world, ctx, deeds) : undefined,
    talk: title ? { title, prompt, events: withEnd(events) } : undefined,
  }
}

const withEnd = (events: TurnEvent[]): TurnEvent[] =>
  events.length > 0 ? events : [{ kind: 'assistant', text: 'Nothing to change.', isFinal: true }]

async function act({ ids }: World, ctx: Ctx, deeds: Note[]): Promise<void> {
  for (const { kind, words, text } of deeds) {
    const { resourceType, resourceId } = ids.link(words[0]!)
    const documentKind = resourceType === BLUEPRINT_KIND ? BLUEPRINT_KIND : REQUIREMENTS_KIND
    if (kind === 'suggest') await suggestChange(ctx, documentKind, resourceId, text)
    else if (kind === 'edit') await editDocument(ctx, documentKind, resourceId, text)
    else await changeWorkOrder(ctx, resourceId, { context: words.slice(1).map((name) => ids.link(name)) })
  }
}

/** "Oct 19 14:12 48" or "Oct 19 14:12 48 failed: reason". */
function historyOf({ words, text }: Note): RunPart[] {
  return text.split('\n').map((line) => {
    const [, at, seconds, error] = /^(\w+ \d+ [\d:]+) (\d+)(?: failed: (.+))?$/.exec(line)!
    return {
      trigger: words[0] as TriggerType,
      at: storyTime(at!),
      seconds: Number(seconds),
      status: error ? 'failed' : 'succeeded',
      error,
    }
  })
}

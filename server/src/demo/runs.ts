import type { Ctx } from '../kernel/context.ts'
import { type BegunRun, beginRecordedRun, endRecordedRun, type TriggerType } from '../product/automations/index.ts'
import { recordTurn, type TurnEvent } from '../product/conversations/index.ts'
import type { World } from './world.ts'

export interface PlannedRun {
  automation: string
  owner: string
  trigger: TriggerType
  at: number
  seconds: number
  status: 'succeeded' | 'failed' | 'cancelled'
  error?: string | undefined
  /** Null for what works without one. */
  model: string | null
  /** The name of what it is about: "feedback 213". */
  subject?: string
  /** The time of the run that it repeats. */
  retryOf?: number | undefined
  act?: ((ctx: Ctx) => Promise<unknown>) | undefined
  /** What its owner can read about it. */
  talk?: { title: string; prompt: string; events: TurnEvent[] } | undefined
}

const MODEL_TOKENS_A_SECOND = { input: 450, output: 36.49 }

/** A run takes its time: it begins, changes something and ends in steps of their own. */
export function planRun(world: World, run: PlannedRun): void {
  const { story, deps, project, ids } = world
  const { automation, owner, at, seconds } = run
  let begun: BegunRun
  story.plan(at, async () => {
    begun = await beginRecordedRun(deps, project, {
      automationId: ids.get(`automation ${automation}`),
      triggerType: run.trigger,
      subject: run.subject ? subjectOf(world, run.subject) : null,
      scheduledFor: run.trigger === 'schedule' ? story.realTime(at).toISOString() : null,
      retryOf: run.retryOf === undefined ? null : ids.get(`run ${automation} ${run.retryOf}`),
    })
    ids.set(`run ${automation} ${at}`, begun.run.id)
    ids.set(`run ${automation}`, begun.run.id)
  })
  const { act } = run
  if (act) story.plan(at + seconds * 600, async () => act(await asAutomation(world, automation, owner, begun.run.id)))
  story.plan(at + seconds * 1000, async () => {
    const conversationId = run.talk ? await record(world, run, begun.run.id) : null
    const isAgent = run.model !== null
    await endRecordedRun(deps, begun, {
      status: run.status,
      error: run.error ?? null,
      conversationId,
      model: run.model,
      inputTokens: isAgent ? Math.floor(seconds * MODEL_TOKENS_A_SECOND.input) + 60 : null,
      outputTokens: isAgent ? Math.floor(seconds * MODEL_TOKENS_A_SECOND.output) : null,
    })
  })
}

/** As an automation, in its latest run unless another is given. */
export function asAutomation({ cast, ids }: World, name: string, owner: string, runId = ids.get(`run ${name}`)) {
  return cast.asAutomation(owner, { automationId: ids.get(`automation ${name}`), automationName: name, runId })
}

function subjectOf({ ids }: World, name: string) {
  const { resourceType, resourceId } = ids.link(name)
  return { type: resourceType, id: resourceId }
}

async function record({ cast, deps, project, ids }: World, run: PlannedRun, runId: string): Promise<string> {
  const { title, prompt, events } = run.talk!
  const automation = { id: ids.get(`automation ${run.automation}`), name: run.automation, runId }
  const ownerId = cast.user(run.owner).id
  const turn = { projectId: project.id, ownerId, origin: 'automation' as const, automation, title, prompt }
  return (await recordTurn(deps, turn, events)).conversationId
}

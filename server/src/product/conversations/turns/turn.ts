import type { AgentScope, Ctx } from '../../../kernel/context.ts'
import { forProject, inTransaction } from '../../../kernel/database/index.ts'
import {
  type Answer,
  askWithRetries,
  estimateInput,
  type ModelSettings,
  type OpenModel,
  openModel,
  type Prices,
  type ToolCall,
  type Usage,
} from '../../../kernel/model/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { findProject, memberCtx } from '../../projects/index.ts'
import { reserveUsage } from '../budgets/reservations.ts'
import type { ConversationOrigin } from '../conversation.ts'
import { modelSettingsFor } from '../models/project-model.ts'
import { listEvents } from '../queries.ts'
import { redactor, streamRedactor } from '../text.ts'
import type { ToolKit } from '../tool-kit.ts'
import { openToolbox, type Toolbox, type ToolEntry } from '../tools/toolbox.ts'
import { failed, isHandedOver, lost, ownerLeft, type TurnEnd, toTurnEnd } from '../turn-end.ts'
import { appendEvents, type NewEvent } from '../writes.ts'
import { atMostSomeCalls, watchRepeats } from './call-limits.ts'
import { makeCalls, toCall, toolEvent, unansweredCalls } from './calls.ts'
import { type Change, listChanges } from './changes.ts'
import { assistantMessage, toMessages } from './history.ts'
import { type LiveTurn, watchTurn } from './live-turns.ts'
import { systemPrompt } from './prompt.ts'
import { countStep, nothingSpent, refuseTooManyTokens, type Spent, storeUsage } from './spending.ts'
import { endTurn, releaseTurn, type TurnRef } from './turn-queries.ts'

export interface TurnWanted {
  /** The member whose permissions the agent has. It fails once the owner has left the project. */
  ownerId: string
  origin: ConversationOrigin
  /** The origin in the history of what it changes. A subagent acts as the agent that asked it. */
  actsAs?: ConversationOrigin
  system?: string
  toolKit: ToolKit
  integrationIds: string[]
  /** The tools that it may use of an integration. All, if the integration is not named. */
  integrationTools?: Record<string, string[]>
  /** The chain of causes that led to it. Without one, its conversation begins a chain. */
  chain?: { id: string; depth: number }
  via?: AgentScope['via']
  payerIds?: readonly string[]
  /** It must not change what a person made or touched. */
  sparesPeople?: boolean
  /** What it would change is kept for a person to decide. */
  proposes?: boolean
  /** So is what anything does that it makes. */
  needsApproval?: boolean
  /** Null for the model that the operator chose. */
  model: string | null
  signal?: AbortSignal | undefined
  /** Identifies its changes in the event log. */
  requestId: string
  /** What its run has used before: a subagent continues the count of the agent that asked it. */
  spent?: Spent
  /** Called after each answer. A reason that it returns ends the turn, unless the agent has finished. */
  onSpent?: (spent: Spent) => Promise<string | undefined>
  /** It began on a server that has stopped: calls that have no result yet are made first. */
  isTakenUp?: boolean
  /** Tools that only this turn has. */
  more?: ToolEntry[]
}

export interface TurnListener {
  onText?(text: string): void
  onEvents?(events: NewEvent[]): void
}

export interface TurnOutcome {
  status: 'succeeded' | 'failed' | 'cancelled'
  /** For a person. */
  error: string | null
  model: string | null
  inputTokens: number
  outputTokens: number
  cost: number | null
  /** It failed for a reason that may be gone later. */
  isTransient: boolean
  /** What it changed, in order, even if it failed. */
  changes: Change[]
}

const WRONG_CALLS_IN_A_ROW = 3

/** Runs a started turn until the agent has answered or something stops it. */
export async function runTurn(
  deps: JobDeps,
  ref: TurnRef,
  wanted: TurnWanted,
  listener: TurnListener = {},
): Promise<TurnOutcome> {
  const live = watchTurn(deps, ref, wanted.ownerId, wanted.signal)
  const spent = wanted.spent ?? nothingSpent()
  const secrets: string[] = []
  let end: TurnEnd | undefined
  try {
    await work({ deps, ref, wanted, listener, live, spent, secrets })
  } catch (err) {
    end = toTurnEnd(err, (err) => deps.log.error({ err, conversation_id: ref.conversationId }, 'a turn broke'))
  } finally {
    live.close()
  }
  const hide = redactor(secrets)
  const error = end ? hide(end.message) : null
  const last: NewEvent[] = end ? [{ kind: 'assistant', text: endWords(end, error!), isFinal: true }] : []
  const status = end?.status ?? 'succeeded'
  await inTransaction(deps, async ({ db }) => {
    if (end?.isHandedOver) return releaseTurn(db, ref)
    if (last.length > 0) await appendEvents(db, ref, last)
    await endTurn(db, ref)
  })
  if (last.length > 0 && !end?.isHandedOver) listener.onEvents?.(last)
  const changes = await listChanges(deps.db, deps.wiring, ref.projectId, wanted.requestId)
  const { steps: _steps, ...used } = spent
  return { status, error, isTransient: end?.isTransient ?? false, ...used, changes }
}

const endWords = ({ status }: TurnEnd, reason: string) =>
  status === 'cancelled' ? reason : `I could not finish. ${reason}`

const secretsOf = ({ compatible, anthropic }: ModelSettings) =>
  [compatible?.apiKey, anthropic?.apiKey].filter((key) => key !== undefined)

interface Work {
  deps: JobDeps
  ref: TurnRef
  wanted: TurnWanted
  listener: TurnListener
  live: LiveTurn
  spent: Spent
  /** Must never be shown. Known once the model is. */
  secrets: string[]
}

async function work({ deps, ref, wanted, listener, live, spent, secrets }: Work): Promise<void> {
  const ctx = await actAs(deps, ref, wanted)
  const settings = await modelSettingsFor(deps, ref.projectId)
  secrets.push(...secretsOf(settings))
  const opened = await openModel(settings, wanted.model)
  spent.model = opened.name
  const toolbox = await openToolbox(ctx, wanted.more ?? [], live.signal)
  try {
    const { prices } = settings
    await converse({ deps, ref, wanted, listener, live, spent, secrets, ctx, toolbox, prices, ...opened })
  } finally {
    await toolbox.close()
  }
}

/**
 * The agent acts with its owner's rights under another origin. They are read again before each step and each tool call,
 * so that a member who was removed or became a viewer cannot continue through an agent.
 */
async function actAs(deps: JobDeps, ref: TurnRef, wanted: TurnWanted): Promise<Ctx> {
  const { ownerId, origin, actsAs = origin, requestId } = wanted
  const { projectId } = ref
  const member = { projectId, userId: ownerId, origin: actsAs === 'automation' ? actsAs : ('agent' as const) }
  const ctx = await memberCtx({ ...deps, db: forProject(deps.db, projectId) }, member, requestId)
  if (!ctx) throw ownerLeft()
  return { ...ctx, agent: scopeOf(ref, wanted) }
}

const scopeOf = (ref: TurnRef, wanted: TurnWanted): AgentScope => ({
  toolKit: wanted.toolKit,
  integrationIds: wanted.integrationIds,
  integrationTools: wanted.integrationTools ?? {},
  chainId: wanted.chain?.id ?? ref.conversationId,
  depth: wanted.chain?.depth ?? 0,
  via: wanted.via,
  payerIds: wanted.payerIds ?? [],
  sparesPeople: wanted.sparesPeople ?? false,
  proposes: wanted.proposes ?? false,
  needsApproval: wanted.needsApproval ?? false,
})

interface Talk extends Work {
  ctx: Ctx
  toolbox: Toolbox
  prices: Prices
  name: string
  model: OpenModel['model']
  reasoningModels: OpenModel['reasoningModels']
}

async function converse(talk: Talk): Promise<void> {
  const { deps, ref, wanted, listener, live, spent, ctx, toolbox, prices, name, model, reasoningModels } = talk
  const { limits } = deps.wiring.settings.model
  const secrets = [...talk.secrets, ...toolbox.secrets]
  const hide = redactor(secrets)
  const commit = async (events: NewEvent[]) => {
    if (!(await inTransaction(deps, ({ db }) => appendEvents(db, ref, events)))) throw lost()
    listener.onEvents?.(events)
  }
  const system = systemPrompt(await projectName(ctx), new Date().toISOString(), wanted.system)
  const repeats = watchRepeats(name)
  const beforeCall = (call: ToolCall) => {
    // The call before may have been a subagent, which uses what this run has left.
    refuseTooManyTokens(deps, spent)
    repeats.refuse(call)
    return actAs(deps, ref, wanted)
  }
  const caller = { toolbox, signal: live.signal, beforeCall, commit, hide }
  const readEvents = () => listEvents(deps.db, ref.projectId, ref.conversationId)
  if (wanted.isTakenUp) await makeCalls(caller, unansweredCalls(await readEvents()).map(toCall))
  const messages = toMessages(await readEvents())
  let wrongCalls = 0

  for (;;) {
    refuseTooManyTokens(deps, spent)
    countStep(deps, spent)
    await actAs(deps, ref, wanted)
    const usages: Usage[] = []
    const words = streamRedactor(secrets)
    let said = ''
    const question = {
      name,
      model,
      system,
      messages,
      tools: toolbox.offered(),
      signal: live.signal,
      onText: (text: string) => {
        said += text
        const ready = words.push(text)
        if (ready !== '') listener.onText?.(ready)
      },
      onUsage: (usage: Usage) => usages.push(usage),
      reasoningModels,
    }
    const { via, payerIds = [] } = wanted
    const payer = { ...ref, userId: wanted.ownerId, automationId: via?.automationId, payerIds }
    const payment = { ...payer, model: name, prices }
    const reservation = await reserveUsage(deps, payment, () => estimateInput(question), limits.wallMs)
    const answer = await askWithRetries({ ...question, stallMs: limits.stallMs }, limits.retries, live.leftMs)
      .then(atMostSomeCalls)
      .catch(async (err: unknown) => {
        // What was already said stays, unless the turn goes on elsewhere, where it is said again.
        if (said.trim() !== '' && !isHandedOver(live.signal))
          await commit([{ kind: 'assistant', text: hide(said), isFinal: false }])
        throw err
      })
      .finally(async () => {
        const rest = words.end()
        if (rest !== '') listener.onText?.(rest)
        // What a failed answer used counts as well.
        await storeUsage(deps, payment, reservation, usages, spent)
      })
    await commit(eventsOf(answer, hide))
    const overspent = await wanted.onSpent?.(spent)
    if (overspent !== undefined && answer.calls.length > 0) throw failed(overspent)
    refuseTooManyTokens(deps, spent)
    if (answer.calls.length === 0) return
    messages.push(assistantMessage(answer))
    const { results, misused } = await makeCalls(caller, answer.calls, answer.leftOut)
    messages.push(...results)
    wrongCalls = misused === answer.calls.length ? wrongCalls + 1 : 0
    if (wrongCalls === WRONG_CALLS_IN_A_ROW)
      throw failed(`The model "${name}" called its tools wrongly ${WRONG_CALLS_IN_A_ROW} times in a row.`)
  }
}

function eventsOf({ text, calls }: Answer, hide: (text: string) => string): NewEvent[] {
  const said: NewEvent[] =
    text.trim() === '' ? [] : [{ kind: 'assistant', text: hide(text), isFinal: calls.length === 0 }]
  return [...said, ...calls.map((call) => toolEvent('tool_call', call, hide(inputText(call))))]
}

const inputText = ({ input }: ToolCall) => (typeof input === 'string' ? input : JSON.stringify(input ?? {}))

async function projectName({ db, actor }: Ctx): Promise<string> {
  return (await findProject(db, actor.projectId))!.name
}

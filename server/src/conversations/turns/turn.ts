import type { ModelMessage } from 'ai'
import type { Ctx } from '../../kernel/context.ts'
import { forProject, inTransaction } from '../../kernel/database/index.ts'
import { type Answer, askWithRetries, type OpenModel, openModel, type ToolCall } from '../../kernel/model/index.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { findProject, memberCtx } from '../../projects/index.ts'
import type { ConversationOrigin } from '../conversation.ts'
import { listEvents } from '../queries.ts'
import { redactor } from '../text.ts'
import type { ToolKit } from '../tools/tool-kit.ts'
import { openToolbox, type Toolbox, type ToolEntry } from '../tools/toolbox.ts'
import { appendEvents, type NewEvent } from '../writes.ts'
import { type Change, listChanges } from './changes.ts'
import { resultOf, toMessages } from './history.ts'
import { type LiveTurn, watchTurn } from './live-turns.ts'
import { systemPrompt } from './prompt.ts'
import { failed, lost, ownerLeft, type TurnEnd, toTurnEnd } from './turn-end.ts'
import { endTurn, type TurnRef } from './turn-queries.ts'

export interface TurnWanted {
  /** The member whose permissions the agent has. It fails once the owner has left the project. */
  ownerId: string
  origin: ConversationOrigin
  /** The origin in the history of what it changes. A subagent acts as the agent that asked it. */
  actsAs?: ConversationOrigin
  system?: string
  toolKit: ToolKit
  integrationIds: string[]
  /** Null for the model that the operator chose. */
  model: string | null
  signal?: AbortSignal | undefined
  /** Identifies its changes in the event log. */
  requestId: string
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
  const spent = { model: null as string | null, inputTokens: 0, outputTokens: 0 }
  let end: TurnEnd | undefined
  try {
    await work({ deps, ref, wanted, listener, live, spent })
  } catch (err) {
    end = toTurnEnd(err, (err) => deps.log.error({ err, conversation_id: ref.conversationId }, 'a turn broke'))
  } finally {
    live.close()
  }
  const hide = redactor(secretsOf(deps))
  const error = end ? hide(end.message) : null
  const last: NewEvent[] = end ? [{ kind: 'assistant', text: endWords(end, error!), isFinal: true }] : []
  const status = end?.status ?? 'succeeded'
  await inTransaction(deps, async ({ db }) => {
    if (last.length > 0) await appendEvents(db, ref, last)
    await endTurn(db, ref)
  })
  if (last.length > 0) listener.onEvents?.(last)
  const changes = await listChanges(deps.db, deps.wiring, ref.projectId, wanted.requestId)
  return { status, error, ...spent, changes }
}

const endWords = ({ status }: TurnEnd, reason: string) =>
  status === 'cancelled' ? reason : `I could not finish. ${reason}`

const secretsOf = ({ wiring: { settings } }: JobDeps) => [
  settings.model.compatible?.apiKey,
  settings.model.anthropic?.apiKey,
]

interface Work {
  deps: JobDeps
  ref: TurnRef
  wanted: TurnWanted
  listener: TurnListener
  live: LiveTurn
  spent: { model: string | null; inputTokens: number; outputTokens: number }
}

async function work({ deps, ref, wanted, listener, live, spent }: Work): Promise<void> {
  const ctx = await actAs(deps, ref, wanted)
  const opened = await openModel(deps.wiring.settings.model, wanted.model)
  spent.model = opened.name
  const toolbox = await openToolbox(ctx, { more: [], ...wanted }, live.signal)
  try {
    await converse({ deps, ref, wanted, listener, live, spent, ctx, toolbox, ...opened })
  } finally {
    await toolbox.close()
  }
}

/**
 * The agent acts with its owner's rights under another origin. They are read again before each step and each tool call,
 * so that a member who was removed or became a viewer cannot continue through an agent.
 */
async function actAs(
  deps: JobDeps,
  ref: TurnRef,
  { ownerId, origin, actsAs = origin, requestId }: TurnWanted,
): Promise<Ctx> {
  const { projectId } = ref
  const member = { projectId, userId: ownerId, origin: actsAs === 'automation' ? actsAs : ('agent' as const) }
  const ctx = await memberCtx({ ...deps, db: forProject(deps.db, projectId) }, member, requestId)
  if (!ctx) throw ownerLeft()
  return ctx
}

interface Talk extends Work {
  ctx: Ctx
  toolbox: Toolbox
  name: string
  model: OpenModel['model']
  reasoningModels: OpenModel['reasoningModels']
}

async function converse(talk: Talk): Promise<void> {
  const { deps, ref, wanted, listener, live, spent, ctx, toolbox, name, model, reasoningModels } = talk
  const { limits } = deps.wiring.settings.model
  const hide = redactor([...secretsOf(deps), ...toolbox.secrets])
  const commit = async (events: NewEvent[]) => {
    if (!(await inTransaction(deps, ({ db }) => appendEvents(db, ref, events)))) throw lost()
    listener.onEvents?.(events)
  }
  const onText = listener.onText && ((text: string) => listener.onText!(hide(text)))
  const system = systemPrompt(await projectName(ctx), new Date().toISOString(), wanted.system)
  const messages = toMessages(await listEvents(deps.db, ref.projectId, ref.conversationId))
  let wrongCalls = 0

  for (let step = 1; step <= limits.steps; step++) {
    await actAs(deps, ref, wanted)
    const question = {
      name,
      model,
      system,
      messages,
      tools: toolbox.offered,
      signal: live.signal,
      onText,
      reasoningModels,
    }
    const answer = await askWithRetries({ ...question, stallMs: limits.stallMs }, limits.retries, live.leftMs)
    spent.inputTokens += answer.inputTokens
    spent.outputTokens += answer.outputTokens
    await commit(eventsOf(answer, hide))
    if (answer.calls.length === 0) return
    messages.push(assistantMessage(answer))
    refuseUnknown(answer.calls, toolbox)
    if (spent.inputTokens + spent.outputTokens > limits.tokens)
      throw failed(`It used more than ${limits.tokens} tokens, which is the limit of a run.`)
    let misused = 0
    for (const call of answer.calls) {
      live.signal.throwIfAborted()
      const {
        status,
        text,
        isMisuse,
        spent: more,
      } = await toolbox.run(call, await actAs(deps, ref, wanted), live.signal)
      spent.inputTokens += more?.inputTokens ?? 0
      spent.outputTokens += more?.outputTokens ?? 0
      const shown = hide(text)
      if (isMisuse) misused++
      await commit([toolEvent('tool_result', call, shown, status)])
      messages.push(resultOf(call.id, call.name, shown))
    }
    wrongCalls = misused === answer.calls.length ? wrongCalls + 1 : 0
    if (wrongCalls === WRONG_CALLS_IN_A_ROW)
      throw failed(`The model "${name}" called its tools wrongly ${WRONG_CALLS_IN_A_ROW} times in a row.`)
  }
  throw failed(`It did not finish within ${limits.steps} steps, which is the limit of a run.`)
}

function refuseUnknown(calls: ToolCall[], toolbox: Toolbox): void {
  const unknown = calls.find((call) => !toolbox.has(call.name))
  if (unknown) throw failed(`The model asked for the tool "${unknown.name.slice(0, 100)}", which it was not offered.`)
}

function eventsOf({ text, calls }: Answer, hide: (text: string) => string): NewEvent[] {
  const said: NewEvent[] =
    text.trim() === '' ? [] : [{ kind: 'assistant', text: hide(text), isFinal: calls.length === 0 }]
  return [...said, ...calls.map((call) => toolEvent('tool_call', call, hide(inputText(call))))]
}

const inputText = ({ input }: ToolCall) => (typeof input === 'string' ? input : JSON.stringify(input ?? {}))

const toolEvent = (
  kind: 'tool_call' | 'tool_result',
  call: ToolCall,
  text: string,
  status?: NewEvent['toolStatus'],
): NewEvent => ({
  kind,
  text,
  isFinal: false,
  toolName: redactor([])(call.name).slice(0, 200),
  toolCallId: redactor([])(call.id).slice(0, 200),
  ...(status && { toolStatus: status }),
})

const assistantMessage = ({ text, calls }: Answer): ModelMessage => ({
  role: 'assistant',
  content: [
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input, isMalformed }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: isMalformed ? {} : input,
    })),
  ],
})

async function projectName({ db, actor }: Ctx): Promise<string> {
  return (await findProject(db, actor.projectId))!.name
}

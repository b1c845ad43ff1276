import type { ModelMessage } from 'ai'
import type { Ctx } from '../../../kernel/context.ts'
import type { ToolCall } from '../../../kernel/model/index.ts'
import type { ConversationEvent } from '../conversation.ts'
import { redactor } from '../text.ts'
import type { Toolbox } from '../tools/toolbox.ts'
import { failed } from '../turn-end.ts'
import type { NewEvent } from '../writes.ts'
import { leftOutWords } from './call-limits.ts'
import { callOf, resultOf } from './history.ts'

export interface Caller {
  toolbox: Toolbox
  signal: AbortSignal
  /** Throws if the call must not be made. Returns the owner with their current rights. */
  beforeCall(call: ToolCall): Promise<Ctx>
  commit(events: NewEvent[]): Promise<void>
  hide(text: string): string
}

/** Makes the calls of one answer, one after the other, and stores each result before the next call begins. */
export async function makeCalls(
  { toolbox, signal, beforeCall, commit, hide }: Caller,
  calls: ToolCall[],
  leftOut = 0,
): Promise<{ results: ModelMessage[]; misused: number }> {
  refuseUnknown(calls, toolbox)
  const results: ModelMessage[] = []
  let misused = 0
  for (const [index, call] of calls.entries()) {
    signal.throwIfAborted()
    const { status, text, isMisuse } = await toolbox.run(call, await beforeCall(call), signal)
    const isLast = index === calls.length - 1
    const shown = hide(isLast ? text + leftOutWords(leftOut) : text)
    if (isMisuse) misused++
    await commit([toolEvent('tool_result', call, shown, status)])
    results.push(resultOf(call.id, call.name, shown))
  }
  return { results, misused }
}

function refuseUnknown(calls: ToolCall[], toolbox: Toolbox): void {
  const unknown = calls.find((call) => !toolbox.has(call.name))
  if (unknown) throw failed(`The model asked for the tool "${unknown.name.slice(0, 100)}", which it was not offered.`)
}

/** The calls of the last turn that have no result, in order. */
export function unansweredCalls<E extends Pick<ConversationEvent, 'kind' | 'toolCallId'>>(events: readonly E[]): E[] {
  const turn = events.slice(events.findLastIndex(({ kind }) => kind === 'user') + 1)
  const answered = new Set(turn.flatMap((one) => (one.kind === 'tool_result' ? [one.toolCallId] : [])))
  return turn.filter((one) => one.kind === 'tool_call' && !answered.has(one.toolCallId))
}

export function toCall(event: ConversationEvent): ToolCall {
  const { toolCallId: id, toolName: name, input } = callOf(event)
  return { id, name, input, isMalformed: false }
}

export const toolEvent = (
  kind: 'tool_call' | 'tool_result',
  call: Pick<ToolCall, 'id' | 'name'>,
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

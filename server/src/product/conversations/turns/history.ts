import type { ModelMessage } from 'ai'
import type { Answer } from '../../../kernel/model/index.ts'
import type { ConversationEvent } from '../conversation.ts'

/** Events beyond this many characters are left out of what a model reads. */
const LONGEST_HISTORY = 400_000

type AssistantPart = { type: 'text'; text: string } | ToolCallPart
type ToolCallPart = { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }

/** Converts a conversation into messages for a model. */
export function toMessages(events: ConversationEvent[]): ModelMessage[] {
  const messages: ModelMessage[] = []
  const assistantParts = (): AssistantPart[] => {
    const last = messages.at(-1)
    if (last?.role === 'assistant') return last.content as AssistantPart[]
    const content: AssistantPart[] = []
    messages.push({ role: 'assistant', content })
    return content
  }
  const told = recent(events)
  const answered = new Set(told.flatMap((one) => (one.kind === 'tool_result' ? [one.toolCallId] : [])))
  for (const event of told) {
    if (event.kind === 'user') messages.push({ role: 'user', content: event.text })
    else if (event.kind === 'assistant') assistantParts().push({ type: 'text', text: event.text })
    // An unanswered call, left by an interrupted turn, would make the whole conversation invalid.
    else if (event.kind === 'tool_call' && answered.has(event.toolCallId)) assistantParts().push(callOf(event))
    else if (event.kind === 'tool_result') messages.push(resultOf(event.toolCallId!, event.toolName!, event.text))
  }
  return messages
}

export const callOf = (event: Pick<ConversationEvent, 'toolCallId' | 'toolName' | 'text'>): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: event.toolCallId!,
  toolName: event.toolName!,
  input: parsed(event.text),
})

export const resultOf = (toolCallId: string, toolName: string, text: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: text } }],
})

/** Keeps the longest tail that starts with a user's message and is short enough. */
function recent(events: ConversationEvent[]): ConversationEvent[] {
  let length = 0
  let from = events.length
  for (let at = events.length - 1; at >= 0; at--) {
    length += events[at]!.text.length
    if (length > LONGEST_HISTORY && from < events.length) break
    if (events[at]!.kind === 'user') from = at
  }
  return events.slice(from)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** What the model has just answered, for its next step. */
export const assistantMessage = ({ text, calls }: Answer): ModelMessage => ({
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

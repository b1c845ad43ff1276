import type { LanguageModel, LanguageModelUsage, ModelMessage, ToolSet } from 'ai'
import { refuseInsideTransaction } from '../database/transaction-guard.ts'
import { ModelFailure, toModelFailure } from './failure.ts'
import { textAfterReasoning } from './reasoning.ts'

export interface OfferedTool {
  name: string
  description: string
  /** JSON schema. */
  input: object
}

export interface Question {
  name: string
  model: LanguageModel
  system: string
  messages: ModelMessage[]
  tools: OfferedTool[]
  signal: AbortSignal
  stallMs: number
  onText?: ((text: string) => void) | undefined
  /** What an answer used, also one that failed or was stopped. */
  onUsage?: ((usage: Usage) => void) | undefined
  /** Models known to start with their reasoning. This call updates the set. */
  reasoningModels: Set<string>
}

export interface ToolCall {
  id: string
  name: string
  input: unknown
  /** True if the input was not valid JSON. */
  isMalformed: boolean
}

export interface Usage {
  inputTokens: number
  outputTokens: number
}

export interface Answer {
  text: string
  calls: ToolCall[]
}

/**
 * Makes one request and streams the answer. Returns only complete answers; throws a `ModelFailure` if one stalls,
 * breaks off or makes no sense. If `signal` aborts, throws its reason.
 */
export async function ask(question: Question): Promise<Answer> {
  const { name, signal } = question
  const stall = new AbortController()
  const silence = () =>
    setTimeout(
      () =>
        stall.abort(
          new ModelFailure(`The model "${name}" said nothing for ${question.stallMs / 1000} s.`, { isTransient: true }),
        ),
      question.stallMs,
    )
  let timer = silence()
  let received = 0
  const isReasoning = question.reasoningModels.has(name)
  const reading: Reading = { text: '', isReasoning, calls: [], begun: false, finish: undefined, usage: undefined }
  try {
    const stream = await start(question, AbortSignal.any([signal, stall.signal]))
    for await (const part of stream) {
      clearTimeout(timer)
      timer = silence()
      read(reading, part, question)
      received += lengthOf(part)
      if (received > LONGEST_ANSWER) stall.abort(tooLong(name))
      stall.signal.throwIfAborted()
    }
    signal.throwIfAborted()
    stall.signal.throwIfAborted()
    return completeAnswer(reading, question)
  } catch (err) {
    signal.throwIfAborted()
    throw stall.signal.aborted ? stall.signal.reason : toModelFailure(err, name, reading.begun)
  } finally {
    clearTimeout(timer)
    if (reading.begun || reading.calls.length > 0 || reading.usage?.inputTokens)
      question.onUsage?.(usageOf(reading, question))
  }
}

/** What the server says, or an estimate of what it was sent and has sent. */
const usageOf = ({ text, calls, usage }: Reading, question: Question): Usage => ({
  inputTokens: usage?.inputTokens ?? estimateInput(question),
  outputTokens: usage?.outputTokens ?? tokensIn(text + JSON.stringify(calls)),
})

async function start({ model, system, messages, tools }: Question, abortSignal: AbortSignal) {
  refuseInsideTransaction('a model')
  const { jsonSchema, streamText, tool } = await import('ai')
  ;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false
  const offered: ToolSet = Object.fromEntries(
    tools.map((one) => [one.name, tool({ description: one.description, inputSchema: jsonSchema(one.input) })]),
  )
  // Without `execute`, the library stops after one step: the caller runs the tools and commits the steps.
  const result = streamText({
    model,
    system,
    messages,
    tools: offered,
    abortSignal,
    maxRetries: 0,
    onError: () => undefined,
  })
  return result.fullStream
}

/** In characters. Without a limit, a server that never ends its answer would fill the memory. */
const LONGEST_ANSWER = 1_000_000

const tooLong = (name: string) =>
  new ModelFailure(
    `The answer of the model "${name}" was longer than ${LONGEST_ANSWER.toLocaleString('en')} characters, which is the limit.`,
  )

const lengthOf = (part: Part) =>
  part.type === 'text-delta' || part.type === 'reasoning-delta'
    ? part.text.length
    : part.type === 'tool-input-delta'
      ? part.delta.length
      : 0

interface Reading {
  text: string
  /** True while text is held back because the end of the reasoning has not arrived. */
  isReasoning: boolean
  calls: ToolCall[]
  begun: boolean
  finish: { reason: string; raw: string | undefined } | undefined
  usage: LanguageModelUsage | undefined
}

type Part = Awaited<ReturnType<typeof start>> extends AsyncIterable<infer P> ? P : never

function read(reading: Reading, part: Part, { onText }: Question): void {
  switch (part.type) {
    case 'text-delta':
      reading.begun = true
      reading.text += part.text
      if (reading.isReasoning) endReasoning(reading, onText)
      else onText?.(part.text)
      break
    case 'reasoning-delta':
    case 'tool-input-start':
      reading.begun = true
      break
    case 'tool-call': {
      const isMalformed = typeof part.input === 'string' || part.input === null
      reading.calls.push({ id: part.toolCallId, name: part.toolName, input: part.input, isMalformed })
      break
    }
    case 'finish-step':
      reading.finish = { reason: part.finishReason, raw: part.rawFinishReason }
      reading.usage = part.usage
      break
    case 'error':
      throw part.error
  }
}

function endReasoning(reading: Reading, onText: Question['onText']): void {
  const text = textAfterReasoning(reading.text)
  if (!text) return
  reading.isReasoning = false
  onText?.(text)
}

function completeAnswer({ text: spoken, calls, begun, finish }: Reading, question: Question): Answer {
  const { name } = question
  if (!finish || ((finish.reason === 'error' || finish.reason === 'other') && finish.raw === undefined)) {
    if (!begun && calls.length === 0)
      throw new ModelFailure(`The model "${name}" answered with something that is not an answer.`)
    throw new ModelFailure(`The answer of the model "${name}" broke off in the middle.`, { isTransient: true })
  }
  if (finish.reason === 'length')
    throw new ModelFailure(`The answer of the model "${name}" was cut off at its length limit.`)
  if (finish.reason === 'content-filter')
    throw new ModelFailure(`The model "${name}" may not answer this: its content filter stopped it.`)
  const text = answerIn(spoken, question)
  if (text.trim() === '' && calls.length === 0) throw new ModelFailure(`The model "${name}" answered nothing.`)
  return { text, calls }
}

function answerIn(spoken: string, { name, reasoningModels }: Question): string {
  const answer = textAfterReasoning(spoken)
  if (answer !== undefined) reasoningModels.add(name)
  else if (spoken !== '') reasoningModels.delete(name)
  return answer ?? spoken
}

/** How many tokens a question has, about. */
export const estimateInput = ({ system, messages, tools }: Pick<Question, 'system' | 'messages' | 'tools'>) =>
  tokensIn(system + JSON.stringify([messages, tools]))

/** An estimate for servers that do not report token counts. */
const CHARACTERS_PER_TOKEN = 4
const tokensIn = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

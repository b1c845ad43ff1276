import { type OpenIntegration, openGranted } from '../../integrations/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { stripUnknown } from '../../kernel/http/bodies/body.ts'
import { bodyChecker, fieldErrors } from '../../kernel/http/validation.ts'
import { type OfferedTool, short, type ToolCall } from '../../kernel/model/index.ts'
import type { Tool } from '../../kernel/slice.ts'
import { authorizeWrite, mayWrite } from '../../projects/index.ts'
import type { ToolStatus } from '../conversation.ts'
import { outputText } from '../text.ts'
import { modelSchema } from './model-schema.ts'
import { isOffered, type ToolKit } from './tool-kit.ts'

export interface ToolAnswer {
  status: ToolStatus
  text: string
  /** The call made no sense, so nothing was tried. */
  isMisuse?: boolean
  /** The tokens that subagents used for it. */
  spent?: { inputTokens: number; outputTokens: number }
}

type Run = (input: unknown, signal: AbortSignal, ctx: Ctx) => Promise<ToolAnswer>

export interface ToolEntry {
  offered: OfferedTool
  run: Run
}

export interface Toolbox {
  offered: OfferedTool[]
  has(name: string): boolean
  /** `ctx` has the owner's current rights. */
  run(call: ToolCall, ctx: Ctx, signal: AbortSignal): Promise<ToolAnswer>
  /** Known secrets, which must not be repeated. */
  secrets: (string | undefined)[]
  close(): Promise<void>
}

interface Wanted {
  toolKit: ToolKit
  integrationIds: string[]
  /** Tools besides those of slices and integrations. */
  more: ToolEntry[]
}

/**
 * Collects the tools of an agent: those of slices that its kit and its owner's rights allow, and those of granted
 * integrations.
 */
export async function openToolbox(ctx: Ctx, wanted: Wanted, signal: AbortSignal): Promise<Toolbox> {
  const entries = new Map<string, ToolEntry>()
  for (const tool of ctx.wiring.tools.values())
    if (isOffered(tool, wanted.toolKit) && (tool.kind === 'view' || mayWrite(ctx.actor)))
      entries.set(tool.name, ownTool(tool))
  for (const entry of wanted.more) entries.set(entry.offered.name, entry)
  const granted = { projectId: ctx.actor.projectId, ownerId: ctx.actor.userId!, ids: wanted.integrationIds }
  const open = await openGranted(ctx, granted, signal)
  for (const integration of open)
    for (const entry of foreignTools(integration)) entries.set(freeName(entries, entry.offered.name), entry)
  return {
    offered: [...entries].map(([name, { offered }]) => ({ ...offered, name })),
    has: (name) => entries.has(name),
    run: (call, ctx, signal) => entries.get(call.name)!.run(call.input, signal, ctx),
    secrets: open.map(({ token }) => token),
    close: async () => {
      await Promise.all(open.map((one) => one.close()))
    },
  }
}

function ownTool(tool: Tool): ToolEntry {
  const { name, description } = tool
  const offered = { name, description, input: modelSchema(tool.input) }
  return { offered, run: (input, _signal, ctx) => runOwn(ctx, tool, input) }
}

/** Checks the input as if it were the body of a request, and runs the tool. */
export async function runOwn(ctx: Ctx, tool: Tool, input: unknown): Promise<ToolAnswer> {
  const fault = checked(tool, input)
  if (fault !== undefined) return { status: 'failed', text: fault, isMisuse: true }
  try {
    if (tool.kind !== 'view') authorizeWrite(ctx.actor)
    return { status: 'succeeded', text: outputText(await tool.run(ctx, input)) }
  } catch (err) {
    if (err instanceof AppError) return { status: 'failed', text: outputText({ error: err.code, detail: err.message }) }
    ctx.log.error({ err, tool: tool.name, request_id: ctx.requestId }, 'a tool failed')
    return { status: 'failed', text: 'Something went wrong on the server. Try something else.' }
  }
}

const checkers = new WeakMap<Tool, (input: unknown) => string | undefined>()

/** Applies the same checks as to a request body. */
function checked(tool: Tool, input: unknown): string | undefined {
  const known = checkers.get(tool) ?? checkerOf(tool)
  checkers.set(tool, known)
  return known(input)
}

function checkerOf({ input: schema, name }: Tool) {
  const strip = stripUnknown(schema)
  const check = bodyChecker(schema)
  return (input: unknown) => {
    if (input === null || typeof input !== 'object' || Array.isArray(input))
      return `The input of ${name} must be a JSON object.`
    strip(input)
    const errors = check(input)
    if (!errors) return undefined
    const words = fieldErrors(errors).map(({ pointer, detail }) => `${pointer || 'input'}: ${detail}`)
    return `The input of ${name} is not valid. ${words.join(' ')}`
  }
}

function foreignTools({ displayName, tools, call }: OpenIntegration): ToolEntry[] {
  return tools.map(({ name, description, input }) => ({
    offered: { name: `${slugOf(displayName)}__${slugOf(name)}`, description: `${displayName}: ${description}`, input },
    run: async (given, signal) => {
      try {
        const { isError, text } = await call(name, (given ?? {}) as Record<string, unknown>, signal)
        return { status: isError ? 'failed' : 'succeeded', text: outputText(text) }
      } catch (err) {
        signal.throwIfAborted()
        return { status: 'failed', text: `"${displayName}" did not answer: ${short((err as Error).message)}` }
      }
    },
  }))
}

const slugOf = (name: string) => name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 30) || 'tool'

function freeName(entries: Map<string, ToolEntry>, name: string): string {
  let free = name
  for (let number = 2; entries.has(free); number++) free = `${name}_${number}`
  return free
}

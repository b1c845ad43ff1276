import type { Ctx } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import { stripUnknown } from '../../../kernel/http/bodies/body.ts'
import { bodyChecker, fieldErrors } from '../../../kernel/http/validation.ts'
import { type OfferedTool, short, type ToolCall } from '../../../kernel/model/index.ts'
import type { Tool } from '../../../kernel/slice.ts'
import { type OpenIntegration, openGranted, recordCall } from '../../integrations/index.ts'
import { authorizeWrite, mayWrite } from '../../projects/index.ts'
import type { ToolStatus } from '../conversation.ts'
import { actAndKeep, findProposed } from '../deeds/deeds.ts'
import { outputText, redactor } from '../text.ts'
import { isOffered, type ToolKit } from '../tool-kit.ts'
import { modelSchema } from './model-schema.ts'
import { chooseTools, FIND_TOOLS, findToolsOffer } from './offering.ts'

export interface ToolAnswer {
  status: ToolStatus
  text: string
  /** The call made no sense, so nothing was tried. */
  isMisuse?: boolean
}

type Run = (input: unknown, signal: AbortSignal, ctx: Ctx) => Promise<ToolAnswer>

export interface ToolEntry {
  offered: OfferedTool
  run: Run
}

export interface Toolbox {
  /** Those that are described to the model now. */
  offered(): OfferedTool[]
  has(name: string): boolean
  /** `ctx` has the owner's current rights. */
  run(call: ToolCall, ctx: Ctx, signal: AbortSignal): Promise<ToolAnswer>
  /** Known secrets, which must not be repeated. */
  secrets: (string | undefined)[]
  close(): Promise<void>
}

/**
 * Collects the tools of an agent: those of slices that its kit and its owner's rights allow, those of granted
 * integrations, and `more`.
 */
export async function openToolbox(ctx: Ctx, more: ToolEntry[], signal: AbortSignal): Promise<Toolbox> {
  const entries = new Map<string, ToolEntry>()
  const { toolKit, integrationIds: ids, integrationTools: tools } = ctx.agent!
  const own = [...ctx.wiring.tools.values()].filter(
    (tool) => isOffered(tool, toolKit as ToolKit) && (tool.kind === 'view' || mayWrite(ctx.actor)),
  )
  for (const tool of own) entries.set(tool.name, ownTool(tool))
  const shown = chooseTools(own, (tool) => lengthOf(entries.get(tool.name)!.offered))
  const hidden = own.map(({ name }) => name).filter((name) => !shown.has(name))
  if (hidden.length > 0) entries.set(FIND_TOOLS, findTools(entries, hidden, shown))
  for (const entry of more) entries.set(entry.offered.name, entry)
  const granted = { projectId: ctx.actor.projectId, ownerId: ctx.actor.userId!, ids, tools }
  const open = await openGranted(ctx, granted, signal)
  for (const integration of open)
    for (const entry of foreignTools(integration, mayWrite(ctx.actor)))
      entries.set(freeName(entries, entry.offered.name), entry)
  return {
    offered: () =>
      [...entries].flatMap(([name, { offered }]) =>
        hidden.includes(name) && !shown.has(name) ? [] : [{ ...offered, name }],
      ),
    has: (name) => entries.has(name),
    run: (call, ctx, signal) => entries.get(call.name)!.run(call.input, signal, ctx),
    secrets: open.map(({ token }) => token),
    close: async () => {
      await Promise.all(open.map((one) => one.close()))
    },
  }
}

type Fields = Record<string, unknown>

/** As it is sent to a model. */
const lengthOf = (offered: OfferedTool) => JSON.stringify({ type: 'function', function: offered }).length

/** From the next question on, the tools that it names are described as well. */
function findTools(entries: Map<string, ToolEntry>, hidden: string[], shown: Set<string>): ToolEntry {
  return {
    offered: findToolsOffer(hidden),
    async run(input) {
      const asked = (input as { names?: unknown } | null)?.names
      const names = (Array.isArray(asked) ? asked : []).filter((name) => hidden.includes(name)).slice(0, 10)
      if (names.length === 0)
        return { status: 'failed', text: `Give "names" from this list: ${hidden.join(', ')}.`, isMisuse: true }
      for (const name of names) shown.add(name)
      return { status: 'succeeded', text: outputText({ tools: names.map((name) => entries.get(name)!.offered) }) }
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
    const output =
      tool.kind === 'view' ? await look(ctx, tool, input as Fields) : await actAndKeep(ctx, tool, input as Fields)
    return { status: 'succeeded', text: outputText(output) }
  } catch (err) {
    if (err instanceof AppError) return { status: 'failed', text: outputText({ error: err.code, detail: err.message }) }
    ctx.log.error({ err, tool: tool.name, request_id: ctx.requestId }, 'a tool failed')
    return { status: 'failed', text: 'Something went wrong on the server. Try something else.' }
  }
}

const look = async (ctx: Ctx, tool: Tool, input: Fields) =>
  (await findProposed(ctx, input)) ?? (await tool.run(ctx, input))

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

/** The agent of a viewer changes nothing outside either. */
function foreignTools(integration: OpenIntegration, mayChange: boolean): ToolEntry[] {
  const { displayName, tools, call, token } = integration
  // Before it is cut: half a token would not be found.
  const hide = redactor([token])
  const offered = tools.filter((tool) => tool.isReadOnly || mayChange)
  return offered.map((tool) => ({
    offered: {
      name: `${slugOf(displayName)}__${slugOf(tool.name)}`,
      description: `${displayName}: ${tool.description}`,
      input: tool.input,
    },
    run: async (given, signal, ctx) => {
      if (!tool.isReadOnly && !mayWrite(ctx.actor))
        return {
          status: 'failed',
          text: 'The person you act for is only a viewer now, so nothing outside can be changed.',
        }
      if (!tool.isReadOnly && ctx.agent?.proposes)
        return { status: 'failed', text: 'This run only proposes changes, so nothing outside can be changed either.' }
      // Recorded before the call: whatever becomes of the answer, the other side may have acted.
      if (!tool.isReadOnly) await recordCall(ctx, integration, tool.name)
      try {
        const { isError, text } = await call(tool.name, (given ?? {}) as Record<string, unknown>, signal)
        return { status: isError ? 'failed' : 'succeeded', text: outputText(hide(text)) }
      } catch (err) {
        signal.throwIfAborted()
        return { status: 'failed', text: `"${displayName}" did not answer: ${short(hide((err as Error).message))}` }
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

import type { AgentScope, Ctx, Tool } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'

type Fields = Record<string, unknown>

interface Subject {
  type: string
  id: string
}

interface Reader {
  type: string
  tool: string
  /** The field of an input that names it. */
  key: string
}

const THEME = { type: 'theme', tool: 'get_theme', key: 'theme_id' }
const ITEM = { type: 'feedback_item', tool: 'get_feedback_item', key: 'feedback_item_id' }

/** The tool that reads what the tools of a domain change. */
const READERS: Record<string, Reader[]> = {
  requirements: [{ type: 'requirements_document', tool: 'get_requirements_document', key: 'id' }],
  blueprints: [{ type: 'blueprint', tool: 'get_blueprint', key: 'id' }],
  work_orders: [{ type: 'work_order', tool: 'get_work_order', key: 'work_order_id' }],
  feedback: [THEME, ITEM],
  artifacts: [{ type: 'artifact', tool: 'get_artifact', key: 'artifact_id' }],
  automations: [{ type: 'automation', tool: 'get_automation', key: 'automation_id' }],
}

/** Whether the agent may know of such things. Those that no tool reads are no secret. */
export function mayKnowOf({ toolKit }: AgentScope, resourceType: string): boolean {
  const domain = Object.keys(READERS).find((one) => READERS[one]!.some(({ type }) => type === resourceType))
  return domain === undefined || !toolKit[domain]?.includes('cannot_view')
}

/** Finds what a call is about: in its input, or in what it returned. */
export function subjectOf(tool: Tool, input: Fields, output?: unknown): Subject | undefined {
  const readers = READERS[tool.domain] ?? []
  for (const { type, key } of readers) if (typeof input[key] === 'string') return { type, id: input[key] }
  const made = (output as Fields | undefined)?.id
  return tool.kind === 'create' && typeof made === 'string' && readers[0]
    ? { type: readers[0].type, id: made }
    : undefined
}

/** Reads it as an agent would. Undefined if it does not exist. */
export async function snapshot(ctx: Ctx, subject: Subject): Promise<Fields | undefined> {
  const reader = Object.values(READERS)
    .flat()
    .find(({ type }) => type === subject.type)!
  try {
    return (await ctx.wiring.tools.get(reader.tool)!.run(ctx, { [reader.key]: subject.id })) as Fields
  } catch (err) {
    if (err instanceof AppError && err.status === 404) return undefined
    throw err
  }
}

const LONGEST_TEXT = 200_000
/** Versions keep the text of a document; these fields change with anything. */
const LEFT_OUT = new Set([
  'object',
  'updated_at',
  'children',
  'size_bytes',
  'total_runs_30d',
  'successful_runs_30d',
  'failed_runs_30d',
  'paused',
])

/** What differs, as it was and as it became. Of something new or deleted, all of it. */
export function difference(before: Fields | undefined, after: Fields | undefined) {
  const isDocument = (before ?? after)?.version_id !== undefined
  const shown = (fields: Fields | undefined, other: Fields | undefined) =>
    fields === undefined
      ? null
      : Object.fromEntries(
          Object.entries(fields)
            .filter(([key, value]) => !LEFT_OUT.has(key) && !(other && isSame(value, other[key])))
            .map(([key, value]) => [key, isDocument && key === 'markdown_content' ? undefined : shortened(value)]),
        )
  // A text that is too long on both sides still shows that it changed.
  const long = Object.keys(before ?? {}).filter((key) => isLong(before![key]) && isLong(after?.[key]))
  const changed = shown(after, before)
  for (const key of long) if (!isDocument && changed && key in changed) changed[key] = null
  return { before: shown(before, after), after: changed }
}

/** What a proposal would change, as far as its input names it: how it is now, and how it would be. */
export function proposedDifference({ kind, name }: Tool, now: Fields | undefined, input: Fields) {
  if (kind === 'delete') return { before: now ? difference(now, undefined).before : null, after: null }
  const wanted = Object.entries((input.values ?? input) as Fields)
  const after = (all: typeof wanted) => Object.fromEntries(all.map(([key, value]) => [key, shortened(value)]))
  // A comment has fields of its own, not those of what it is about.
  if (!now || kind === 'create' || isComment(name)) return { before: null, after: after(wanted) }
  const changed = wanted.filter(([key, value]) => key in now && key !== 'id' && !isSame(value, now[key]))
  if (changed.length === 0) return { before: null, after: null }
  return { before: Object.fromEntries(changed.map(([key]) => [key, shortened(now[key])])), after: after(changed) }
}

const isComment = (tool: string) => tool.startsWith('comment_')

/** The ids of the comment that a call made. Undefined for other calls. */
export function commentMade({ name }: Tool, output: unknown): Fields | undefined {
  if (!isComment(name)) return undefined
  const { id, messages, markdown_content } = output as Fields & { messages?: { id: string }[] }
  return messages ? { thread_id: id, message_id: messages.at(-1)!.id } : { comment_id: id, markdown_content }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const isLong = (value: unknown) => typeof value === 'string' && value.length > LONGEST_TEXT
const shortened = (value: unknown) => (isLong(value) ? undefined : value)

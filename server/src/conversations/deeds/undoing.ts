import { isDeepStrictEqual } from 'node:util'
import { restoreVersion } from '../../documents/index.ts'
import type { Ctx, Tool } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Deed } from './deed.ts'
import { decide } from './deed-queries.ts'
import { snapshot } from './snapshots.ts'

type Fields = Record<string, unknown>

export interface Undone {
  deed: Deed
  /** Why it could not be taken back. Null if it was. */
  reason: string | null
}

/** Takes back what can be taken back, the last first. Whoever asks needs the rights for each step. */
export async function undoDeeds(ctx: Ctx, deeds: Deed[]): Promise<Undone[]> {
  const restored = new Map<string, { versionId: unknown; as: unknown }>()
  const results: Undone[] = []
  for (const deed of [...deeds].reverse()) {
    if (deed.status !== 'done' && deed.status !== 'accepted') continue
    results.push({ deed, reason: await undoDeed(ctx, deed, restored) })
  }
  return results.reverse()
}

async function undoDeed(ctx: Ctx, deed: Deed, restored: Restored): Promise<string | null> {
  const tool = ctx.wiring.tools.get(deed.tool)
  if (!tool) return 'This tool no longer exists.'
  try {
    const reason = await takeBack(ctx, tool, deed, restored)
    if (reason !== null) return reason
    await decide(ctx.db, ctx.actor.projectId, deed, { ...deed, status: 'undone', userId: ctx.actor.userId })
    return null
  } catch (err) {
    if (err instanceof AppError) return err.message
    throw err
  }
}

type Restored = Map<string, { versionId: unknown; as: unknown }>

async function takeBack(ctx: Ctx, tool: Tool, deed: Deed, restored: Restored): Promise<string | null> {
  const { resourceType: type, resourceId: id } = deed
  if (tool.kind === 'delete') return 'What was deleted cannot be restored.'
  if (tool.name === 'run_automation') return 'The run that it started has to be undone by itself.'
  if (tool.name.startsWith('comment_')) return 'A comment stays. Delete or resolve it by hand.'
  if (type === null || id === null) return 'It is not known what this changed.'
  const now = await snapshot(ctx, { type, id })
  if (!now) return 'It has been deleted since.'
  const known = restored.get(id)
  const current =
    known && known.versionId === now.version_id ? { ...now, version_id: known.as, version_number: undefined } : now
  if (!isUntouched(deed.after, current)) return 'It was changed since.'
  if (isIncomplete(deed)) return 'Its text was too long to keep.'
  if (/^(write|suggest)_/.test(tool.name)) {
    const document = await restoreVersion(ctx, type as never, id, String(deed.before?.version_id))
    restored.set(id, { versionId: document.versionId, as: deed.before?.version_id })
    return null
  }
  const inverse = inverseOf(tool, deed, id)
  if (!inverse) return 'There is no way to take this back.'
  await ctx.wiring.tools.get(inverse[0])!.run(ctx, inverse[1])
  return null
}

/** Those that follow from other fields, or change when somebody looks after a thing. */
const DERIVED = new Set(['version_number', 'description_snippet', 'edited_by_person', 'connectedContext'])

const isUntouched = (after: Fields | null, now: Fields) =>
  Object.entries(after ?? {}).every(
    ([key, value]) => DERIVED.has(key) || now[key] === undefined || isDeepStrictEqual(now[key], value),
  )

/** A value that was too long is left out on its side. */
const isIncomplete = ({ before, after }: Deed) =>
  before !== null && after !== null && Object.keys(after).some((key) => !(key in before))

const DELETES: Record<string, [tool: string, key: string]> = {
  requirements: ['delete_requirements_document', 'id'],
  blueprints: ['delete_blueprint', 'id'],
  work_orders: ['delete_work_order', 'work_order_id'],
  feedback: ['delete_theme', 'theme_id'],
  artifacts: ['delete_artifact', 'artifact_id'],
  automations: ['delete_automation', 'automation_id'],
}

/** The call that takes a call back. */
function inverseOf({ name, kind, domain }: Tool, { input, before }: Deed, id: string): [string, Fields] | undefined {
  if (kind === 'create') {
    const [tool, key] = DELETES[domain]!
    return [tool, { [key]: id }]
  }
  const was = before ?? {}
  switch (name) {
    case 'rename_requirements_document':
    case 'rename_blueprint':
      return [name, { id, title: was.title }]
    case 'update_work_order':
      return [name, { work_order_id: id, values: workOrderValues(was) }]
    case 'update_theme':
      return [
        name,
        { theme_id: id, values: only(was, 'title', 'description', 'markdown_content', 'status', 'type', 'priority') },
      ]
    case 'update_artifact':
      return [name, { artifact_id: id, ...only(was, 'name', 'markdown_content') }]
    case 'update_automation':
      return [name, { automation_id: id, values: only(was, 'name', 'user_prompt', 'model', 'enabled', 'tool_kit') }]
    case 'set_feedback_item_status':
      return [name, { feedback_item_id: id, status: was.status }]
    case 'link_feedback_item':
      return ['unlink_feedback_item', only(input, 'theme_id', 'feedback_item_id')]
    case 'unlink_feedback_item':
      return ['link_feedback_item', only(input, 'theme_id', 'feedback_item_id')]
    case 'link_theme_work_order':
      return [name, { ...input, remove: input.remove !== true }]
    case 'set_theme_feature':
      return [name, { theme_id: id, feature_requirements_document_id: was.feature_requirements_document_id ?? null }]
    case 'assign_theme':
      return [name, { theme_id: id, email: (was.assignee as { email?: string } | null | undefined)?.email ?? null }]
  }
  return undefined
}

const only = (fields: Fields, ...keys: string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => keys.includes(key)))

function workOrderValues(was: Fields): Fields {
  const values = only(
    was,
    'title',
    'markdown_content',
    'status',
    'priority',
    'type',
    'implementation_plan',
    'connectedContext',
  )
  const idOf = (one: unknown) => (one as { id: string } | null)?.id ?? null
  if ('assignee' in was) values.assignee_id = idOf(was.assignee)
  if ('phase' in was) values.phase_id = idOf(was.phase)
  if ('labels' in was) values.label_ids = (was.labels as { id: string }[]).map(({ id }) => id)
  return values
}

import type { Tool } from '../../../kernel/context.ts'
import type { Deed } from './deed.ts'

type Fields = Record<string, unknown>

const DELETES: Record<string, [tool: string, key: string]> = {
  requirements: ['delete_requirements_document', 'id'],
  blueprints: ['delete_blueprint', 'id'],
  work_orders: ['delete_work_order', 'work_order_id'],
  feedback: ['delete_theme', 'theme_id'],
  artifacts: ['delete_artifact', 'artifact_id'],
  automations: ['delete_automation', 'automation_id'],
}

/** The call that takes a call back. */
export function inverseOf(
  { name, kind, domain }: Tool,
  { input, before }: Deed,
  id: string,
): [string, Fields] | undefined {
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
      return [name, { artifact_id: id, ...only(was, 'name', 'markdown_content', 'parent_id') }]
    case 'update_automation':
      return [name, { automation_id: id, values: automationValues(was) }]
    case 'set_feedback_item_status':
      return [name, { feedback_item_id: id, status: was.status }]
    case 'link_feedback_item':
      return ['unlink_feedback_item', only(input, 'theme_id', 'feedback_item_id')]
    case 'unlink_feedback_item':
      return ['link_feedback_item', { ...only(input, 'theme_id', 'feedback_item_id'), ...excerptIn(was, input) }]
    case 'link_theme_work_order':
      return [name, { ...input, remove: input.remove !== true }]
    case 'set_theme_feature':
      return [name, { theme_id: id, feature_requirements_document_id: was.feature_requirements_document_id ?? null }]
    case 'assign_theme':
      return [name, { theme_id: id, email: (was.assignee as { email?: string } | null | undefined)?.email ?? null }]
  }
  return undefined
}

/** The words of the quote that was there. */
const excerptIn = ({ quotes = [] }: Fields, { feedback_item_id: itemId }: Fields) =>
  only((quotes as Fields[]).find((one) => one.feedback_item_id === String(itemId).toLowerCase()) ?? {}, 'text_excerpt')

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

function automationValues(was: Fields): Fields {
  const values = only(was, 'name', 'user_prompt', 'model', 'enabled', 'tool_kit', 'concurrency', 'approval', 'budget')
  if ('triggers' in was)
    values.triggers = (was.triggers as Fields[]).map((one) => only(one, 'trigger_type', 'config', 'filter'))
  if ('integration_grants' in was)
    values.integration_grants = (was.integration_grants as Fields[]).map((one) => only(one, 'id', 'tools'))
  return values
}

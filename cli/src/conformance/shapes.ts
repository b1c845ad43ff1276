import {
  anything,
  bool,
  exactly,
  integer,
  list,
  mapOf,
  nullable,
  object,
  oneOf,
  type Shape,
  text,
  time,
  uuid,
} from './shape.ts'

/** The resources and their fields, as the specification has them. */
const PRIORITIES = ['no_priority', 'low', 'medium', 'high', 'urgent']
const context = list(object({ resourceType: text, resourceId: uuid }))
const children = list(object({ id: uuid, document_id: uuid, title: text }))
const person = object({ id: uuid, name: text, email: text })
const matches = list(
  object({ line_number: integer, line: text, before_context: list(text), after_context: list(text) }),
)
const detailOfDocument = {
  connectedContext: context,
  version_id: uuid,
  version_number: integer,
  markdown_content: text,
}

const blueprintFields = {
  object: exactly('blueprint'),
  id: uuid,
  document_id: uuid,
  title: text,
  category_name: text,
  parent_id: nullable(uuid),
  children,
  feature_id: nullable(uuid),
  blueprint_node_id: nullable(uuid),
  updated_at: time,
}
const requirementFields = {
  object: exactly('requirements_document'),
  id: uuid,
  document_id: uuid,
  title: text,
  document_type: oneOf('FEATURE', 'OVERVIEW'),
  parent_id: nullable(uuid),
  children,
  feature_id: nullable(uuid),
  overview_tree_node_id: nullable(uuid),
  updated_at: time,
}

export const blueprint = {
  summary: object(blueprintFields),
  detail: object({ ...blueprintFields, ...detailOfDocument }),
  hit: object({ object: exactly('blueprint'), id: uuid, document_id: uuid, title: text, category_name: text, matches }),
}
export const requirement = {
  summary: object(requirementFields),
  detail: object({ ...requirementFields, ...detailOfDocument }),
  hit: object({ id: uuid, document_id: uuid, title: text, document_type: text, matches }),
}
export const category = object({
  object: exactly('blueprint_category'),
  id: uuid,
  name: text,
  locked: bool,
  is_feature_blueprints: bool,
  count: integer,
})
export const thread = object({
  object: exactly('document_comment_thread'),
  id: uuid,
  thread_id: uuid,
  messages: list(object({ id: uuid, message: text, created_at: time, created_by_name: text })),
  is_resolved: bool,
  is_flagged: bool,
})
export const version = object({
  object: exactly('version'),
  version_id: uuid,
  version_number: integer,
  created_at: time,
  version_name: text,
  attribution: object({
    origin_type: text,
    user_id: nullable(uuid),
    user_email: nullable(text),
    user_first_name: nullable(text),
    user_last_name: nullable(text),
    origin_name: nullable(text),
  }),
})
export const suggestion = object({ status: text, change_ids: list(text) })

const itemFields = {
  object: exactly('feedback_item'),
  id: uuid,
  display_id: text,
  title: text,
  status: oneOf('to_process', 'processed'),
  end_user_email: nullable(text),
  created_at: time,
}
export const item = {
  summary: object(itemFields),
  detail: object({
    ...itemFields,
    markdown_content: text,
    attachments: list(object({ id: uuid, file_name: text, file_url: text, file_size: integer, mime_type: text })),
    connectedContext: context,
  }),
}
const themeFields = {
  object: exactly('theme'),
  id: uuid,
  display_id: text,
  title: text,
  status: oneOf('unresolved', 'in_progress', 'resolved', 'dismissed'),
  type: oneOf('bug', 'feature_request', 'improvement', 'performance', 'question', 'other'),
  priority: oneOf(...PRIORITIES),
  quote_count: integer,
  linked_work_order_count: integer,
  feature_requirements_document_id: nullable(uuid),
  assignee: nullable(person),
}
export const theme = {
  summary: object(themeFields),
  detail: object({ ...themeFields, description: text, markdown_content: text, connectedContext: context }),
}
export const quote = object({
  object: exactly('quote'),
  id: uuid,
  feedback_item_id: uuid,
  theme_id: uuid,
  text_excerpt: text,
  created_at: time,
})

export const label = object({ object: exactly('label'), id: uuid, title: text, color: text, archived: bool })
export const phase = object({ object: exactly('phase'), id: uuid, phase_id: uuid, phase_number: integer, title: text })
const workOrderFields = {
  object: exactly('work_order'),
  id: uuid,
  work_order_number: integer,
  title: text,
  status: oneOf('backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed'),
  priority: oneOf(...PRIORITIES),
  type: oneOf('none', 'build', 'fix', 'design', 'research', 'test', 'documentation', 'chore'),
  phase: nullable(phase),
  assignee: nullable(person),
  labels: list(label),
  description_snippet: text,
}
export const workOrder = {
  summary: object(workOrderFields),
  detail: object({
    ...workOrderFields,
    markdown_content: text,
    implementation_plan: nullable(object({ files: list(anything), markdown_content: text })),
    created_at: time,
    updated_at: time,
    connectedContext: context,
  }),
}
export const workOrderComment = object({
  object: exactly('work_order_comment'),
  id: uuid,
  author: person,
  created_at: time,
  updated_at: time,
  markdown_content: text,
  artifact_ids: list(uuid),
})
export const batch = object({
  request_id: text,
  status: oneOf('Succeeded', 'PartiallySucceeded', 'Failed'),
  results: mapOf(
    object({
      operation_id: text,
      operation_type: text,
      status: oneOf('succeeded', 'failed'),
      work_order_id: nullable(uuid),
      work_order_number: nullable(integer),
      message: text,
    }),
  ),
})

export const automation = object({
  object: exactly('automation'),
  id: uuid,
  name: text,
  enabled: bool,
  is_built_in: bool,
  triggers: list(
    object({
      object: exactly('automation_trigger'),
      id: uuid,
      trigger_type: text,
      config: object({ cron_expression: nullable(text), timezone: nullable(text), preset: nullable(text) }),
      next_fire_at: nullable(time),
    }),
  ),
  user_prompt: text,
  tool_kit: object({
    object: exactly('automation_tool_kit'),
    permission_overrides: list(object({ domain: text, restriction: text })),
  }),
  integration_grants: list(
    object({ object: exactly('connected_integration_grant'), id: text, display_name: text, is_connected: bool }),
  ),
  model: nullable(text),
  owner: object({ object: exactly('user'), id: uuid, display_name: text, email: text }),
  total_runs_30d: integer,
  successful_runs_30d: integer,
  failed_runs_30d: integer,
  created_at: time,
  updated_at: time,
})
export const integration = object({ object: exactly('connected_integration'), id: text, display_name: text })

const artifactFields = {
  object: exactly('artifact'),
  id: uuid,
  name: text,
  type: oneOf('document', 'file', 'folder'),
  content_type: nullable(text),
  size_bytes: nullable(integer),
  s3_uri: nullable(text),
  folder_path: text,
  created_at: time,
  updated_at: time,
  created_by: nullable(text),
}
export const artifact = {
  summary: object(artifactFields),
  detail: object({ ...artifactFields, markdown_content: nullable(text), connectedContext: context }),
}

export const conversation = object({
  object: exactly('agent_conversation'),
  id: uuid,
  origin: oneOf('user', 'automation', 'subagent'),
  title: text,
  created_at: time,
  updated_at: time,
  automation: nullable(
    object({
      object: exactly('agent_conversation_automation_run'),
      automation_id: nullable(uuid),
      automation_name: text,
      run_id: uuid,
      run_status: text,
      run_started_at: nullable(time),
      run_completed_at: nullable(time),
    }),
  ),
})
export const user = object({ object: exactly('user'), id: uuid, display_name: text, email: text })

export const problem = object({
  type: text,
  title: text,
  status: integer,
  detail: text,
  code: text,
  request_id: text,
})

export const dataOf = (shape: Shape) => object({ data: shape })
export const itemsOf = (shape: Shape) => object({ items: list(shape) })
export const pageOf = (shape: Shape) =>
  object({ items: list(shape), total: integer, page: integer, page_size: integer, total_pages: integer })

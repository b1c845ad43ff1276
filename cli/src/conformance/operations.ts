/** An operation of the specification, and a body that it accepts if everything it names is there. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  /** Fields that must be there. */
  required?: string[]
}

const ABSENT = '00000000-0000-7000-8000-000000000000'

function documents(base: string, id: string, made: Record<string, unknown>): Operation[] {
  const one = `${base}/{${id}}`
  return [
    { method: 'GET', path: base },
    { method: 'POST', path: base, body: made, required: Object.keys(made) },
    { method: 'POST', path: `${base}/search`, body: { query: 'x' }, required: ['query'] },
    { method: 'GET', path: one },
    { method: 'PATCH', path: one, body: { markdown_content: 'x' }, required: ['markdown_content'] },
    { method: 'DELETE', path: one },
    { method: 'PATCH', path: `${one}/rename`, body: { title: 'x' }, required: ['title'] },
    { method: 'PUT', path: `${one}/move`, body: { position: 0 } },
    { method: 'POST', path: `${one}/apply_suggestion`, body: { old_text: 'x', new_text: 'y' }, required: ['new_text'] },
    { method: 'GET', path: `${one}/versions` },
    { method: 'GET', path: `${one}/versions/{version_id}` },
    { method: 'GET', path: `${one}/comments` },
    { method: 'POST', path: `${one}/comments`, body: { message: 'x' }, required: ['message'] },
    { method: 'GET', path: `${one}/comments/{thread_id}` },
  ]
}

const theme = '/feedback/themes/{theme_id}'
const order = '/work_orders/{work_order_id}'
const newTheme = { title: 'x', type: 'bug', priority: 'no_priority', description: 'x' }
const newAutomation = { name: 'x', user_prompt: 'x', triggers: [] }
const emptyBatch = { request_id: 'x', operations: [] }

export const OPERATIONS: Operation[] = [
  { method: 'GET', path: '/blueprints/categories' },
  ...documents('/blueprints', 'blueprint_document_id', { title: 'x' }),
  ...documents('/requirements', 'document_id', { title: 'x', document_type: 'OVERVIEW' }),
  { method: 'GET', path: '/feedback/themes' },
  { method: 'POST', path: '/feedback/themes', body: newTheme, required: Object.keys(newTheme) },
  { method: 'GET', path: theme },
  { method: 'PATCH', path: theme, body: { title: 'x' } },
  { method: 'DELETE', path: theme },
  {
    method: 'POST',
    path: `${theme}/feedback_links`,
    body: { feedback_item_id: ABSENT },
    required: ['feedback_item_id'],
  },
  { method: 'DELETE', path: `${theme}/feedback_links/{feedback_item_id}` },
  { method: 'POST', path: `${theme}/work_orders`, body: { work_order_id: ABSENT }, required: ['work_order_id'] },
  { method: 'DELETE', path: `${theme}/work_orders/{work_order_id}` },
  {
    method: 'PUT',
    path: `${theme}/feature`,
    body: { feature_requirements_document_id: ABSENT },
    required: ['feature_requirements_document_id'],
  },
  { method: 'DELETE', path: `${theme}/feature` },
  { method: 'PUT', path: `${theme}/assignee`, body: { user_id: ABSENT } },
  { method: 'DELETE', path: `${theme}/assignee` },
  { method: 'GET', path: '/feedback/items' },
  { method: 'GET', path: '/feedback/items/{feedback_item_id}' },
  { method: 'GET', path: '/work_orders/labels' },
  { method: 'GET', path: '/work_orders/phases' },
  { method: 'GET', path: '/work_orders' },
  { method: 'POST', path: '/work_orders/search', body: { query: 'x' } },
  { method: 'POST', path: '/work_orders/batch_create', body: emptyBatch, required: Object.keys(emptyBatch) },
  { method: 'POST', path: '/work_orders/batch_update', body: emptyBatch, required: Object.keys(emptyBatch) },
  { method: 'GET', path: '/work_orders/by_number/{work_order_number}' },
  { method: 'GET', path: order },
  { method: 'DELETE', path: order },
  { method: 'PATCH', path: `${order}/description`, body: { markdown_content: 'x' }, required: ['markdown_content'] },
  { method: 'GET', path: `${order}/comments` },
  { method: 'POST', path: `${order}/comments`, body: { markdown_content: 'x' }, required: ['markdown_content'] },
  { method: 'PATCH', path: `${order}/comments/{comment_id}`, body: { markdown_content: 'x' } },
  { method: 'DELETE', path: `${order}/comments/{comment_id}` },
  { method: 'GET', path: '/automations' },
  { method: 'POST', path: '/automations', body: newAutomation, required: Object.keys(newAutomation) },
  { method: 'GET', path: '/automations/{automation_id}' },
  { method: 'PATCH', path: '/automations/{automation_id}', body: { name: 'x' } },
  { method: 'GET', path: '/integrations' },
  { method: 'GET', path: '/artifacts' },
  { method: 'POST', path: '/artifacts', body: { name: 'x' }, required: ['name'] },
  { method: 'DELETE', path: '/artifacts/folders', body: { folder_path: 'x' }, required: ['folder_path'] },
  { method: 'GET', path: '/artifacts/{artifact_id}/content' },
  { method: 'GET', path: '/artifacts/{artifact_id}' },
  { method: 'PATCH', path: '/artifacts/{artifact_id}', body: { name: 'x' } },
  { method: 'DELETE', path: '/artifacts/{artifact_id}' },
  { method: 'GET', path: '/agent_conversations' },
  { method: 'GET', path: '/agent_conversations/{conversation_id}' },
  { method: 'GET', path: '/users' },
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/openapi.json' },
  {
    method: 'POST',
    path: '/v2/reporting-api/feedback',
    body: { end_user_email: 'grace@example.org', content: 'x' },
    required: ['end_user_email', 'content'],
  },
]

export const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>) => `${method} ${path}`

/** The path with ids of nothing. */
export const absentPath = (path: string) =>
  path.replace('{work_order_number}', '2147483647').replace(/\{\w+\}/g, ABSENT)

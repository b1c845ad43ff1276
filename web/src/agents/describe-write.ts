import type { AutomationRunPageWrite } from '@slipway/sdk'
import { inWords, isKind, KINDS } from '../lib/kinds.ts'

type Fields = Record<string, unknown>

/** Something that an agent did or would do, in a run or in a conversation. Only runs name what it is about. */
export type Write = Pick<
  AutomationRunPageWrite,
  'id' | 'tool' | 'input' | 'resource_type' | 'resource_id' | 'before' | 'after'
> &
  Partial<Pick<AutomationRunPageWrite, 'title' | 'number'>>

const NOUNS: Record<string, string> = {
  work_order: 'work order',
  requirements_document: 'requirement',
  blueprint: 'blueprint',
  theme: 'theme',
  feedback_item: 'feedback',
  artifact: 'document',
  automation: 'automation',
}

export type WriteForm = 'create' | 'text' | 'suggestion' | 'comment' | 'delete' | 'fields'

export const inputOf = ({ input }: Write): Fields => {
  const given = (input ?? {}) as Fields
  return (given.values && typeof given.values === 'object' ? given.values : given) as Fields
}

/** How a write is best shown. */
export function formOf({ tool }: Write): WriteForm {
  if (tool.startsWith('create_')) return 'create'
  if (tool.startsWith('suggest_')) return 'suggestion'
  if (tool.startsWith('comment_')) return 'comment'
  if (tool.startsWith('delete_')) return 'delete'
  return tool.startsWith('write_') ? 'text' : 'fields'
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function titleOf(write: Write): string {
  const input = inputOf(write)
  const before = write.before ?? {}
  return (
    write.title ??
    textOf(input.title) ??
    textOf(input.name) ??
    textOf(before.title) ??
    textOf(before.name) ??
    nounOf(write)
  )
}

const nounOf = ({ resource_type, tool }: Write) =>
  NOUNS[resource_type ?? ''] ?? tool.replace(/^[a-z]+_/, '').replaceAll('_', ' ')

/** The kind of thing that it is about. What a proposal would make has no type yet. */
export const subjectOf = ({ resource_type, tool }: Write): string | null =>
  resource_type ?? (tool.startsWith('create_') ? tool.slice('create_'.length) : null)

/** WO-33. Undefined for what has no number. */
export const codeOf = ({ resource_type, number }: Write): string | undefined =>
  resource_type && isKind(resource_type) && number != null && KINDS[resource_type].code
    ? `${KINDS[resource_type].code}-${number}`
    : undefined

/** What kind of write it is: "new work order", "suggested edit". */
export function kindOf(write: Write): string {
  const form = formOf(write)
  if (form === 'create') return `new ${nounOf(write)}`
  if (form === 'suggestion') return 'suggested edit'
  if (form === 'text') return 'new text'
  if (form === 'comment') return 'comment'
  if (form === 'delete') return 'deletion'
  const keys = Object.keys(write.after ?? {}).filter(isShown)
  if (keys.length === 1 && keys[0] === 'connectedContext') return 'connection'
  return keys.length === 1 ? fieldName(keys[0]!).toLowerCase() : write.tool.replaceAll('_', ' ')
}

/** Fields that say nothing to a person, or follow from others. */
const HIDDEN = new Set([
  'id',
  'object',
  'created_at',
  'updated_at',
  'version_id',
  'version_number',
  'description_snippet',
  'edited_by_person',
  'display_id',
  'work_order_number',
  'replace_all',
])
export const isShown = (key: string) => !HIDDEN.has(key) && !key.endsWith('_id') && !key.endsWith('_ids')

/** How the API calls them is not how people do. */
const FIELD_NAMES: Record<string, string> = { markdown_content: 'Text', connectedContext: 'Connections' }
export const fieldName = (key: string) => FIELD_NAMES[key] ?? inWords(key)

export interface FieldChange {
  key: string
  before: string
  after: string
  isText: boolean
}

const LONG = 60

export function valueWords(key: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (key === 'connectedContext' && Array.isArray(value))
    return value.length === 1 ? '1 connection' : `${value.length} connections`
  if (Array.isArray(value)) return value.map((one) => valueWords(key, one)).join(', ') || 'none'
  if (typeof value === 'object') {
    const { title, name, display_name } = value as Fields
    return textOf(title) ?? textOf(name) ?? textOf(display_name) ?? JSON.stringify(value)
  }
  return /^(status|priority|type)$/.test(key) && typeof value === 'string' ? inWords(value) : String(value)
}

/** The values that a write changes, as they were and as they become. */
export function fieldsOf({ before, after }: Pick<Write, 'before' | 'after'>): FieldChange[] {
  const keys = [...new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})])].filter(isShown)
  return keys.map((key) => {
    const was = valueWords(key, before?.[key])
    const is = valueWords(key, after?.[key])
    return { key, before: was, after: is, isText: was.length > LONG || is.length > LONG || /\n/.test(was + is) }
  })
}

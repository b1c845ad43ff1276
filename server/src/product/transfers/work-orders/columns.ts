import { cut } from '../../../engines/text/characters.ts'

export const SOURCES = ['jira', 'linear', 'slipway', 'csv'] as const
export type Source = (typeof SOURCES)[number]

export const FIELDS = [
  'key',
  'title',
  'description',
  'status',
  'priority',
  'type',
  'assignee',
  'labels',
  'phase',
  'parent',
  'alias',
] as const
export type Field = (typeof FIELDS)[number]

/** The names of columns, in lower case. Where a row has several values for a field, the first name counts. */
const NAMES: Record<Field, string[]> = {
  key: ['issue key', 'identifier', 'external id', 'key', 'id', 'number'],
  title: ['summary', 'title', 'name', 'subject'],
  description: ['description', 'body', 'content'],
  status: ['status', 'state'],
  priority: ['priority'],
  type: ['issue type', 'type', 'kind'],
  assignee: ['assignee email', 'assignee', 'owner'],
  labels: ['labels', 'label', 'tags'],
  phase: ['phase', 'cycle name', 'sprint', 'milestone', 'project milestone', 'fix versions', 'fix version/s'],
  parent: ['parent issue', 'parent key', 'custom field (epic link)', 'epic link', 'parent'],
  // How Jira's column "Parent" names an issue.
  alias: ['issue id'],
}

/** Of the name of a column. No name that means something is longer. */
const NAME_CHARACTERS = 200

export interface Columns {
  source: Source
  /** Of each column. */
  fields: (Field | null)[]
  names: string[]
  /** The places of a field's columns, the one that counts most first. */
  places: Record<Field, number[]>
}

/** Finds out what the columns mean. */
export function readColumns(head: string[]): Columns {
  const names = head.map((name) => cut(name.trim(), NAME_CHARACTERS))
  const lower = names.map((name) => name.toLowerCase())
  const fields = lower.map((name) => FIELDS.find((field) => NAMES[field].includes(name)) ?? null)
  const placesOf = (field: Field) =>
    NAMES[field].flatMap((name) => lower.flatMap((one, index) => (one === name ? [index] : [])))
  const places = Object.fromEntries(FIELDS.map((field) => [field, placesOf(field)])) as Columns['places']
  return { source: sourceOf(new Set(lower)), fields, names, places }
}

function sourceOf(names: Set<string>): Source {
  const hasAll = (...wanted: string[]) => wanted.every((name) => names.has(name))
  if (hasAll('summary', 'issue key')) return 'jira'
  if (hasAll('id', 'team', 'title')) return 'linear'
  if (hasAll('number', 'title', 'phase')) return 'slipway'
  return 'csv'
}

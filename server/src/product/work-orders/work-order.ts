import { conflict } from '../../kernel/errors.ts'
import { presentVia, type Via } from '../../kernel/http/created-via.ts'
import { snippetOf } from '../documents/index.ts'
import type { Link } from '../links/index.ts'
import type { MemberRef } from '../projects/index.ts'

export const STATUSES = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed'] as const
export const PRIORITIES = ['no_priority', 'low', 'medium', 'high', 'urgent'] as const
export const TYPES = ['none', 'build', 'fix', 'design', 'research', 'test', 'documentation', 'chore'] as const
export const LABEL_COLORS = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const
export const SORTS = ['number', '-number', 'updated', '-updated', 'priority'] as const
export const PLAN_ACTIONS = ['create', 'modify', 'delete'] as const

export type Status = (typeof STATUSES)[number]
export type Priority = (typeof PRIORITIES)[number]
export type Type = (typeof TYPES)[number]
export type LabelColor = (typeof LABEL_COLORS)[number]
export type Sort = (typeof SORTS)[number]

const SNIPPET_LENGTH = 200
export const UNTITLED = 'Untitled work order'

export interface Person {
  id: string
  name: string
  email: string
}

export interface Phase {
  id: string
  phaseNumber: number
  title: string
}

export interface Label {
  id: string
  title: string
  color: LabelColor
  archived: boolean
}

export interface ImplementationPlan {
  files: { path: string; action: (typeof PLAN_ACTIONS)[number]; description: string }[]
  markdownContent: string
}

/** A description with the snippet that lists show. */
export interface Description {
  markdownContent: string
  snippet: string
}

/** Can take a while for a long text, so call it before a transaction starts. */
export const toDescription = (markdownContent: string): Description => ({
  markdownContent,
  snippet: snippetOf(markdownContent, SNIPPET_LENGTH),
})

export interface WorkOrderSummary {
  id: string
  workOrderNumber: number
  title: string
  status: Status
  priority: Priority
  type: Type
  phase: Phase | null
  assignee: Person | null
  labels: Label[]
  descriptionSnippet: string
}

export interface WorkOrder extends WorkOrderSummary {
  markdownContent: string
  implementationPlan: ImplementationPlan | null
  createdAt: string
  updatedAt: string
  context: Link[]
}

/** How a caller names a work order. */
export type Target = { id: string } | { number: number }

export type PhaseRef = { id: string } | { number: number }

/** The values that can be set on a work order. Undefined leaves a value unchanged, null clears it. */
export interface WorkOrderValues {
  title?: string | undefined
  description?: Description | undefined
  status?: Status | undefined
  priority?: Priority | undefined
  type?: Type | undefined
  assignee?: MemberRef | null | undefined
  phase?: PhaseRef | null | undefined
  labelIds?: string[] | undefined
  implementationPlan?: ImplementationPlan | null | undefined
  context?: Link[] | undefined
}

/** Tells a person why one of several work orders was refused. */
export interface Fault {
  fault: string
}

/** The result for one of several work orders. */
export interface Outcome {
  /** Null if it was neither found nor created. */
  workOrder: { id: string; workOrderNumber: number } | null
  /** Undefined on success. */
  fault: string | undefined
}

/** For a caller who asked for a single work order. */
export const refused = (fault: string) => conflict('refused', fault)

export interface Comment {
  id: string
  workOrderId: string
  author: Person | null
  markdownContent: string
  artifactIds: string[]
  createdAt: string
  updatedAt: string
  via: Via | null
}

export const presentPhase = ({ id, phaseNumber, title }: Phase) => ({
  object: 'phase' as const,
  id,
  phase_id: id,
  phase_number: phaseNumber,
  title,
})

export const presentLabel = ({ id, title, color, archived }: Label) => ({
  object: 'label' as const,
  id,
  title,
  color,
  archived,
})

const presentPlan = ({ files, markdownContent }: ImplementationPlan) => ({ files, markdown_content: markdownContent })

export const presentWorkOrderSummary = (workOrder: WorkOrderSummary) => ({
  object: 'work_order' as const,
  id: workOrder.id,
  work_order_number: workOrder.workOrderNumber,
  title: workOrder.title,
  status: workOrder.status,
  priority: workOrder.priority,
  type: workOrder.type,
  phase: workOrder.phase && presentPhase(workOrder.phase),
  assignee: workOrder.assignee,
  labels: workOrder.labels.map(presentLabel),
  description_snippet: workOrder.descriptionSnippet,
})

export const presentWorkOrder = (workOrder: WorkOrder, context: Link[] = workOrder.context) => ({
  object: 'work_order' as const,
  id: workOrder.id,
  work_order_number: workOrder.workOrderNumber,
  title: workOrder.title,
  status: workOrder.status,
  priority: workOrder.priority,
  type: workOrder.type,
  phase: workOrder.phase && presentPhase(workOrder.phase),
  assignee: workOrder.assignee,
  labels: workOrder.labels.map(presentLabel),
  description_snippet: workOrder.descriptionSnippet,
  markdown_content: workOrder.markdownContent,
  implementation_plan: workOrder.implementationPlan && presentPlan(workOrder.implementationPlan),
  created_at: workOrder.createdAt,
  updated_at: workOrder.updatedAt,
  connectedContext: context,
})

export const presentComment = (comment: Comment) => ({
  object: 'work_order_comment' as const,
  id: comment.id,
  author: comment.author,
  created_at: comment.createdAt,
  updated_at: comment.updatedAt,
  markdown_content: comment.markdownContent,
  artifact_ids: comment.artifactIds,
  ...presentVia(comment.via),
})

const SHOWN_AS: Partial<Record<keyof WorkOrder, string>> = {
  markdownContent: 'markdown_content',
  implementationPlan: 'implementation_plan',
  context: 'connectedContext',
}

/** The names of changed fields, as events show them. */
export const presentFields = (fields: (keyof WorkOrder)[]) => fields.map((field) => SHOWN_AS[field] ?? field)

type Values = { [Field in keyof WorkOrder]?: WorkOrder[Field] | undefined }

/** What short values were and became, by the names that people know. Texts and connections are named in `fields` only. */
export function presentChanges(before: Values, after: Values, fields: (keyof WorkOrder)[]) {
  const shown = fields.flatMap((field) => {
    const from = presentValue(field, before)
    return from === undefined ? [] : [[field, { from, to: presentValue(field, after) ?? null }] as const]
  })
  return shown.length > 0 ? { changes: Object.fromEntries(shown) } : {}
}

function presentValue(field: keyof WorkOrder, values: Values): string | string[] | null | undefined {
  switch (field) {
    case 'title':
    case 'priority':
    case 'type':
      return values[field]
    case 'phase':
      return values.phase?.title ?? null
    case 'assignee':
      return values.assignee?.name ?? null
    case 'labels':
      return values.labels?.map((label) => label.title) ?? []
    default:
      return undefined
  }
}

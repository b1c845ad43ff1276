import { snippetOf } from '../documents/index.ts'
import type { Link } from '../links/index.ts'

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

export const workOrderSnippet = (description: string) => snippetOf(description, SNIPPET_LENGTH)

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
  markdown_content: string
}

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

export interface Comment {
  id: string
  workOrderId: string
  author: Person | null
  markdownContent: string
  artifactIds: string[]
  createdAt: string
  updatedAt: string
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

export const presentWorkOrder = (workOrder: WorkOrder, context: object[] = workOrder.context) => ({
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
  implementation_plan: workOrder.implementationPlan,
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
})

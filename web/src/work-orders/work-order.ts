import type { Label, Phase, WorkOrder, WorkOrderComment, WorkOrderSummary } from '@slipway/sdk'
import type { Person } from '../people/Avatar.tsx'
import type { Priority } from '../ui/PriorityBars.tsx'
import type { Status } from '../ui/StatusRing.tsx'

export { isNew, temporaryId } from '../lib/ids.ts'
export type { Label, Person, Phase, Priority, Status, WorkOrder, WorkOrderComment }

export const STATUSES = ['backlog', 'ready', 'in_progress', 'in_review', 'blocked', 'completed'] as const
export const PRIORITIES = ['urgent', 'high', 'medium', 'low', 'no_priority'] as const
export const TYPES = ['none', 'build', 'fix', 'design', 'research', 'test', 'documentation', 'chore'] as const
export type Type = (typeof TYPES)[number]

export const STATUS_NAMES: Record<Status, string> = {
  backlog: 'Backlog',
  ready: 'Ready',
  in_progress: 'In progress',
  in_review: 'In review',
  blocked: 'Blocked',
  completed: 'Completed',
}
export const PRIORITY_NAMES: Record<Priority, string> = {
  urgent: 'Urgent',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  no_priority: 'No priority',
}
export const TYPE_NAMES: Record<Type, string> = {
  none: 'No type',
  build: 'Build',
  fix: 'Fix',
  design: 'Design',
  research: 'Research',
  test: 'Test',
  documentation: 'Documentation',
  chore: 'Chore',
}

/** What is being worked on comes first. */
export const STATUS_ORDER: Status[] = ['in_progress', 'in_review', 'blocked', 'ready', 'backlog', 'completed']

export const FIELDS = ['status', 'priority', 'type', 'phase', 'assignee', 'label', 'claim', 'title', 'updated'] as const
export type Field = (typeof FIELDS)[number]
export const SORTS = ['priority', 'number', '-number', 'title', '-updated'] as const
export type Sort = (typeof SORTS)[number]
export const DEFAULT_SORT: Sort = 'priority'
export const SORT_NAMES: Record<Sort, string> = {
  priority: 'Priority',
  number: 'Number',
  '-number': 'Newest',
  title: 'Title',
  '-updated': 'Updated',
}
export const GROUPS = ['status', 'phase', 'assignee', 'priority', 'none'] as const
export type Group = (typeof GROUPS)[number]
export const GROUP_NAMES: Record<Group, string> = {
  status: 'Status',
  phase: 'Phase',
  assignee: 'Assignee',
  priority: 'Priority',
  none: 'None',
}
/** What a card of the board can show beside its number and title. */
export const CARD_PARTS = ['labels', 'phase', 'type', 'updated', 'comments', 'assignee'] as const
export type CardPart = (typeof CARD_PARTS)[number]
export const CARD_PART_NAMES: Record<CardPart, string> = {
  labels: 'Labels',
  phase: 'Phase',
  type: 'Type',
  updated: 'Updated',
  comments: 'Comments',
  assignee: 'Assignee',
}

/** A work order as lists show it. */
export type WorkOrderRow = Omit<WorkOrderSummary, 'object' | 'description_snippet'> & {
  updated_at?: string | undefined
  comment_count?: number | undefined
}
export type Plan = NonNullable<WorkOrder['implementation_plan']>
export type Connected = WorkOrder['connectedContext'][number]

export const codeOf = ({ work_order_number }: { work_order_number: number }) => `WO-${work_order_number}`
export const phaseName = ({ phase_number, title }: Phase) => `${phase_number} ${title}`

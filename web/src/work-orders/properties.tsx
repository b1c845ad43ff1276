import type { ReactNode } from 'react'
import { Avatar } from '../people/Avatar.tsx'
import { Dot } from '../ui/Chip.tsx'
import {
  IconBook,
  IconBox,
  IconCircleDashed,
  IconFlag,
  IconFlask,
  IconHammer,
  IconMicroscope,
  IconPalette,
  IconTool,
} from '../ui/icons.ts'
import type { Option } from '../ui/Pick.tsx'
import { PriorityBars } from '../ui/PriorityBars.tsx'
import { StatusRing } from '../ui/StatusRing.tsx'
import type { Edit } from './edits.ts'
import {
  isNew,
  type Label,
  type Person,
  type Phase,
  PRIORITIES,
  PRIORITY_NAMES,
  type Priority,
  phaseName,
  STATUS_NAMES,
  STATUSES,
  type Status,
  TYPE_NAMES,
  TYPES,
  type Type,
  type WorkOrderRow,
} from './work-order.ts'

export type Property = 'status' | 'priority' | 'type' | 'phase' | 'assignee' | 'label'

export const PROPERTY_NAMES: Record<Property, string> = {
  status: 'Status',
  priority: 'Priority',
  type: 'Type',
  phase: 'Phase',
  assignee: 'Assignee',
  label: 'Labels',
}

export const NONE = 'none'

const TYPE_ICONS: Record<Type, typeof IconTool> = {
  none: IconCircleDashed,
  build: IconHammer,
  fix: IconTool,
  design: IconPalette,
  research: IconMicroscope,
  test: IconFlask,
  documentation: IconBook,
  chore: IconBox,
}

export function TypeIcon({ type, size = 16 }: { type: Type; size?: number }) {
  const Sign = TYPE_ICONS[type]
  return <Sign size={size} stroke={1.75} />
}

/** What a project offers to choose from. */
export interface Vocabulary {
  phases: Phase[]
  labels: Label[]
  members: Person[]
  /** Who left with work still assigned to them. Nothing more can be given to them. */
  former: Person[]
}

export function optionsOf(property: Property, { phases, labels, members }: Vocabulary): Option[] {
  const line = (value: string, label: string, icon: ReactNode): Option => ({ value, label, icon })
  switch (property) {
    case 'status':
      return STATUSES.map((one) => line(one, STATUS_NAMES[one], <StatusRing status={one} />))
    case 'priority':
      return PRIORITIES.map((one) => line(one, PRIORITY_NAMES[one], <PriorityBars priority={one} />))
    case 'type':
      return TYPES.map((one) => line(one, TYPE_NAMES[one], <TypeIcon type={one} />))
    case 'phase':
      return [
        ...phases.map((one) => line(one.id, phaseName(one), <IconFlag size={16} stroke={1.75} />)),
        line(NONE, 'No phase', <IconCircleDashed size={16} stroke={1.75} />),
      ]
    case 'assignee':
      return [
        ...members.map((one) => line(one.id, one.name, <Avatar person={one} size={18} />)),
        line(NONE, 'Nobody', <Avatar person={null} size={18} />),
      ]
    case 'label':
      return labels.map((one) => line(one.id, one.title, <Dot color={one.color} />))
  }
}

/** The values of a property that a row has. */
export function selectedOf(
  property: Property,
  row: Pick<WorkOrderRow, Exclude<Property, 'label'> | 'labels'>,
): string[] {
  if (property === 'phase') return [row.phase?.id ?? NONE]
  if (property === 'assignee') return [row.assignee?.id ?? NONE]
  if (property === 'label') return row.labels.map(({ id }) => id)
  return [row[property]]
}

/** The change that sets a property of a row. For labels, `value` is switched on or off. */
export function editOf(row: WorkOrderRow, property: Property, value: string, vocabulary: Vocabulary): Edit {
  switch (property) {
    case 'status':
      return { row, fields: { status: value as Status }, shows: { status: value as Status } }
    case 'priority':
      return { row, fields: { priority: value as Priority }, shows: { priority: value as Priority } }
    case 'type':
      return { row, fields: { type: value as Type }, shows: { type: value as Type } }
    case 'phase': {
      const phase = vocabulary.phases.find(({ id }) => id === value) ?? null
      return { row, fields: { phase_id: phase?.id ?? null }, shows: { phase } }
    }
    case 'assignee': {
      const assignee = vocabulary.members.find(({ id }) => id === value) ?? null
      return { row, fields: { assignee_id: assignee?.id ?? null }, shows: { assignee } }
    }
    case 'label': {
      const has = row.labels.some(({ id }) => id === value)
      const added = vocabulary.labels.filter(({ id }) => id === value)
      const labels = has ? row.labels.filter(({ id }) => id !== value) : [...row.labels, ...added]
      const sorted = labels.sort((a, b) => a.title.localeCompare(b.title))
      return {
        row,
        fields: { label_ids: sorted.filter((one) => !isNew(one)).map(({ id }) => id) },
        shows: { labels: sorted },
      }
    }
  }
}

export function summaryOf(property: Property, value: string, vocabulary: Vocabulary): string {
  const name = optionsOf(property, vocabulary).find((one) => one.value === value)?.label ?? value
  return property === 'label' ? `label ${name}` : `${PROPERTY_NAMES[property].toLowerCase()} ${name}`
}

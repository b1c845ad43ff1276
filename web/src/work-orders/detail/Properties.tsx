import { useQuery } from '@tanstack/react-query'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { Avatar, shownName } from '../../people/Avatar.tsx'
import { formerMembersQuery } from '../../people/members.ts'
import { IconButton } from '../../ui/Button.tsx'
import { LabelChip } from '../../ui/Chip.tsx'
import { IconFlag, IconLink } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { PropertyHead, PropertyLine, PropertyLines, PropertyTimes } from '../../ui/PropertyList.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { openProperty } from '../picker.tsx'
import { PROPERTY_NAMES, type Property, TypeIcon } from '../properties.tsx'
import { PRIORITY_NAMES, phaseName, STATUS_NAMES, TYPE_NAMES, type WorkOrder } from '../work-order.ts'
import { CodeList } from './CodeList.tsx'
import { CopyForAgent } from './CopyForAgent.tsx'

interface Props {
  workOrder: WorkOrder
  projectId: string
  head?: boolean
}

/** The values of a work order. Each opens its list. */
export function Properties({ workOrder, projectId, head }: Props) {
  const mayWrite = useMayWrite()
  const former = useQuery(formerMembersQuery(projectId)).data
  const line = (property: Property) => ({
    name: PROPERTY_NAMES[property],
    property,
    onOpen: mayWrite ? (beside: Element) => openProperty(property, [workOrder], beside) : undefined,
  })
  const { status, priority, type, phase, assignee, labels } = workOrder
  return (
    <>
      {head && (
        <PropertyHead>
          <IconButton label="Copy link" onClick={() => void copyText(location.href, 'Link copied')}>
            <IconLink size={16} stroke={1.75} />
          </IconButton>
        </PropertyHead>
      )}
      <PropertyLines>
        <PropertyLine {...line('status')}>
          <StatusRing status={status} /> {STATUS_NAMES[status]}
        </PropertyLine>
        <PropertyLine {...line('priority')}>
          <PriorityBars priority={priority} /> {PRIORITY_NAMES[priority]}
        </PropertyLine>
        <PropertyLine {...line('type')}>
          <TypeIcon type={type} /> {TYPE_NAMES[type]}
        </PropertyLine>
        <PropertyLine {...line('phase')}>
          <IconFlag size={16} stroke={1.75} /> {phase ? phaseName(phase) : 'No phase'}
        </PropertyLine>
        <PropertyLine {...line('assignee')} sign={<Avatar person={assignee} />}>
          {assignee ? shownName(former?.find(({ id }) => id === assignee.id) ?? assignee) : 'Nobody'}
        </PropertyLine>
        <PropertyLine {...line('label')}>
          {labels.map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
          {labels.length === 0 && (mayWrite ? 'Add a label' : 'None')}
        </PropertyLine>
        <CopyForAgent workOrder={workOrder} projectId={projectId} />
      </PropertyLines>
      <CodeList projectId={projectId} workOrderId={workOrder.id} />
      {head && <PropertyTimes of={workOrder} />}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { Avatar, shownName } from '../../people/Avatar.tsx'
import { formerMembersQuery } from '../../people/members.ts'
import { IconButton } from '../../ui/Button.tsx'
import { LabelChip } from '../../ui/Chip.tsx'
import { IconFlag, IconLink } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { Time } from '../../ui/Time.tsx'
import { openPicker } from '../picker.tsx'
import { type Property, TypeIcon } from '../properties.tsx'
import { PRIORITY_NAMES, phaseName, STATUS_NAMES, TYPE_NAMES, type WorkOrder } from '../work-order.ts'
import { CodeList } from './CodeList.tsx'
import { CopyForAgent } from './CopyForAgent.tsx'
import css from './Properties.module.css'

/** The values of a work order. Each opens its list. */
export function Properties({
  workOrder,
  projectId,
  head,
}: {
  workOrder: WorkOrder
  projectId: string
  head?: boolean
}) {
  const mayWrite = useMayWrite()
  const former = useQuery(formerMembersQuery(projectId)).data
  const line = (property: Property, name: string, value: ReactNode) => (
    <div className={css.line}>
      <span className={css.name}>{name}</span>
      <button
        type="button"
        className={css.value}
        data-property={property}
        disabled={!mayWrite}
        onClick={(event: MouseEvent) => openPicker(property, [workOrder], event.currentTarget)}
      >
        {mayWrite && <span className="sr-only">Change {name.toLowerCase()}: </span>}
        {value}
      </button>
    </div>
  )
  const { status, priority, type, phase, assignee, labels } = workOrder
  return (
    <>
      {head && (
        <header className={css.head}>
          Properties
          <IconButton label="Copy link" onClick={() => void copyText(location.href, 'Link copied')}>
            <IconLink size={16} stroke={1.75} />
          </IconButton>
        </header>
      )}
      <div className={css.lines}>
        {line(
          'status',
          'Status',
          <>
            <StatusRing status={status} /> {STATUS_NAMES[status]}
          </>,
        )}
        {line(
          'priority',
          'Priority',
          <>
            <PriorityBars priority={priority} /> {PRIORITY_NAMES[priority]}
          </>,
        )}
        {line(
          'type',
          'Type',
          <>
            <TypeIcon type={type} /> {TYPE_NAMES[type]}
          </>,
        )}
        {line(
          'phase',
          'Phase',
          <>
            <IconFlag size={16} stroke={1.75} /> {phase ? phaseName(phase) : 'No phase'}
          </>,
        )}
        {line(
          'assignee',
          'Assignee',
          <>
            <Avatar person={assignee} />{' '}
            {assignee ? shownName(former?.find(({ id }) => id === assignee.id) ?? assignee) : 'Nobody'}
          </>,
        )}
        {line(
          'label',
          'Labels',
          labels.length > 0
            ? labels.map((label) => <LabelChip key={label.id} label={label} />)
            : mayWrite
              ? 'Add a label'
              : 'None',
        )}
        <CopyForAgent workOrder={workOrder} projectId={projectId} />
      </div>
      <CodeList projectId={projectId} workOrderId={workOrder.id} />
      {head && (
        <dl className={css.times}>
          <dt>Created</dt>
          <dd>
            <Time at={workOrder.created_at} />
          </dd>
          <dt>Updated</dt>
          <dd>
            <Time at={workOrder.updated_at} />
          </dd>
        </dl>
      )}
    </>
  )
}

import { useDraggable } from '@dnd-kit/core'
import { type FocusEvent, type KeyboardEvent, memo } from 'react'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { LabelChip } from '../../ui/Chip.tsx'
import { IconGripVertical, IconMessage2 } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { ClaimChip } from '../claims.tsx'
import { MenuDots } from '../MenuDots.tsx'
import { WorkOrderLink } from '../open-work-order.tsx'
import { NONE } from '../properties.tsx'
import { codeOf, type WorkOrderRow } from '../work-order.ts'
import css from './Phases.module.css'

interface Props {
  row: WorkOrderRow
  projectId: string
  lifted: boolean
  onPress(event: KeyboardEvent, row: WorkOrderRow, from: string): void
  onLeave(event: FocusEvent): void
}

export const LaneRow = memo(function LaneRow({ row, projectId, lifted, onPress, onLeave }: Props) {
  const mayWrite = useMayWrite()
  const { setNodeRef, listeners, attributes } = useDraggable({ id: row.id, disabled: !mayWrite })
  return (
    <div ref={setNodeRef} className={cx(css.row, lifted && css.gone)} data-row={row.id} {...listeners}>
      {mayWrite && (
        <button
          type="button"
          className={css.grip}
          {...attributes}
          aria-label={`Move ${codeOf(row)}`}
          onKeyDown={(event) => onPress(event, row, row.phase?.id ?? NONE)}
          onBlur={onLeave}
        >
          <IconGripVertical size={14} stroke={1.75} />
        </button>
      )}
      <WorkOrderLink projectId={projectId} number={row.work_order_number} className={css.face} draggable={false}>
        <LaneRowFace row={row} projectId={projectId} />
      </WorkOrderLink>
      <MenuDots row={row} className={css.dots} data-menu={row.id} />
    </div>
  )
})

export function LaneRowFace({ row, projectId, short }: { row: WorkOrderRow; projectId: string; short?: boolean }) {
  return (
    <>
      <PriorityBars priority={row.priority} />
      <span className={css.code}>{codeOf(row)}</span>
      <StatusRing status={row.status} />
      <span className={css.title}>{row.title}</span>
      <ClaimChip row={row} projectId={projectId} />
      <span className={css.grow} />
      {!short && row.labels.slice(0, 3).map((label) => <LabelChip key={label.id} label={label} />)}
      {!short && row.comment_count ? (
        <span className={css.comments}>
          <IconMessage2 size={14} stroke={1.75} />
          {row.comment_count}
        </span>
      ) : null}
      <Avatar person={row.assignee} />
    </>
  )
}

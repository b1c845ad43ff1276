import { useDraggable } from '@dnd-kit/core'
import { type FocusEvent, type KeyboardEvent, memo } from 'react'
import { cx } from '../../lib/cx.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Chip, LabelChip } from '../../ui/Chip.tsx'
import { IconFlag, IconMessage2 } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { ClaimChip } from '../claims.tsx'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { codeOf, phaseName, type WorkOrderRow } from '../work-order.ts'
import css from './Board.module.css'

interface Props {
  row: WorkOrderRow
  projectId: string
  lifted: boolean
  onPress(event: KeyboardEvent, row: WorkOrderRow, from: string): void
  onLeave(event: FocusEvent): void
}

/** A card: click or Enter opens it, dragging or Space lifts it. */
export const Card = memo(function Card({ row, projectId, lifted, onPress, onLeave }: Props) {
  const { setNodeRef, listeners, attributes } = useDraggable({ id: row.id })
  const openWorkOrder = useOpenWorkOrder(projectId)
  const open = () => openWorkOrder(row.work_order_number)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the attributes of the library make it a button.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the same.
    <div
      ref={setNodeRef}
      className={cx(css.card, lifted && css.gone)}
      {...attributes}
      {...listeners}
      aria-roledescription="card"
      aria-label={`${codeOf(row)} ${row.title}`}
      data-card={row.id}
      onClick={open}
      onKeyDown={(event) => {
        onPress(event, row, row.status)
        if (event.key === 'Enter' && !event.defaultPrevented && !event.metaKey && !event.ctrlKey) open()
      }}
      onBlur={onLeave}
    >
      <CardFace row={row} projectId={projectId} />
    </div>
  )
})

export function CardFace({ row, projectId }: { row: WorkOrderRow; projectId: string }) {
  return (
    <>
      <div className={css.cardHead}>
        <PriorityBars priority={row.priority} />
        <span className={css.code}>{codeOf(row)}</span>
        <ClaimChip row={row} projectId={projectId} />
        <span className={css.grow} />
        {row.comment_count ? (
          <span className={css.comments}>
            <IconMessage2 size={14} stroke={1.75} />
            {row.comment_count}
          </span>
        ) : null}
        <Avatar person={row.assignee} />
      </div>
      <div className={css.cardTitle}>{row.title}</div>
      {(row.labels.length > 0 || row.phase) && (
        <div className={css.chips}>
          {row.labels.map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
          {row.phase && (
            <Chip>
              <IconFlag size={13} stroke={1.75} />
              {phaseName(row.phase)}
            </Chip>
          )}
        </div>
      )}
    </>
  )
}

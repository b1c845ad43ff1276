import { useDraggable } from '@dnd-kit/core'
import { type FocusEvent, type KeyboardEvent, memo } from 'react'
import { cx } from '../../lib/cx.ts'
import { useMayWrite } from '../../lib/may-write.ts'
import { Avatar } from '../../people/Avatar.tsx'
import { Chip, ChipText, LabelChip } from '../../ui/Chip.tsx'
import { IconMessage2 } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { Time } from '../../ui/Time.tsx'
import { ClaimChip } from '../claims.tsx'
import { MenuDots } from '../MenuDots.tsx'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { PhaseChip } from '../PhaseChip.tsx'
import { TypeIcon } from '../properties.tsx'
import { toggleSelected } from '../selection.ts'
import { type CardPart, codeOf, TYPE_NAMES, type WorkOrderRow } from '../work-order.ts'
import css from './Board.module.css'

interface FaceProps {
  row: WorkOrderRow
  projectId: string
  shows: ReadonlySet<CardPart>
}

interface Props extends FaceProps {
  lifted: boolean
  selected: boolean
  onPress(event: KeyboardEvent, row: WorkOrderRow, from: string): void
  onLeave(event: FocusEvent): void
}

/** A card: a click opens it beside the board, Enter as a page, Shift and click or `x` selects it, dragging or Space lifts it. */
export const Card = memo(function Card({ row, projectId, shows, lifted, selected, onPress, onLeave }: Props) {
  const mayWrite = useMayWrite()
  const { setNodeRef, listeners, attributes } = useDraggable({ id: row.id, disabled: !mayWrite })
  const openWorkOrder = useOpenWorkOrder(projectId)
  const open = (asPage = false) => openWorkOrder(row.work_order_number, { asPage })
  return (
    <div className={css.place}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the attributes of the library make it a button. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: the same. */}
      <div
        ref={setNodeRef}
        className={cx(css.card, selected && css.selected, lifted && css.gone)}
        {...attributes}
        {...listeners}
        aria-disabled={false}
        aria-roledescription="card"
        aria-label={`${codeOf(row)} ${row.title}${selected ? ', selected' : ''}`}
        data-row={row.id}
        onClick={(event) => (event.shiftKey ? toggleSelected(row.id) : open())}
        onKeyDown={(event) => {
          if (mayWrite) onPress(event, row, row.status)
          if (event.key === 'Enter' && !event.defaultPrevented) open(!event.metaKey && !event.ctrlKey)
        }}
        onBlur={onLeave}
      >
        <CardFace row={row} projectId={projectId} shows={shows} />
      </div>
      <MenuDots row={row} className={css.dots} data-menu={row.id} />
    </div>
  )
})

const MAX_LABELS = 6

export function CardFace({ row, projectId, shows }: FaceProps) {
  const labels = shows.has('labels') ? row.labels : []
  const phase = shows.has('phase') && row.phase
  const type = shows.has('type') && row.type !== 'none' && row.type
  const updated = shows.has('updated') && row.updated_at
  return (
    <>
      <div className={css.cardHead}>
        <PriorityBars priority={row.priority} />
        <span className={css.code}>{codeOf(row)}</span>
        <ClaimChip row={row} projectId={projectId} />
        <span className={css.grow} />
        {shows.has('comments') && row.comment_count ? (
          <span className={css.comments}>
            <IconMessage2 size={14} stroke={1.75} />
            {row.comment_count}
          </span>
        ) : null}
        {shows.has('assignee') && <Avatar person={row.assignee} />}
      </div>
      <div className={css.cardTitle} dir="auto">
        {row.title}
      </div>
      {(labels.length > 0 || phase || type || updated) && (
        <div className={css.chips}>
          {labels.slice(0, MAX_LABELS).map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
          {labels.length > MAX_LABELS && <Chip>+{labels.length - MAX_LABELS}</Chip>}
          {phase && <PhaseChip phase={phase} />}
          {type && (
            <Chip>
              <TypeIcon type={type} size={13} />
              <ChipText>{TYPE_NAMES[type]}</ChipText>
            </Chip>
          )}
          {updated && <Time className={css.time} at={updated} as="day" />}
        </div>
      )}
    </>
  )
}

import { type MouseEvent, memo } from 'react'
import { cx } from '../../lib/cx.ts'
import { dayOf, fullTimeOf } from '../../lib/time.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { CheckMark } from '../../ui/Checkbox.tsx'
import { Chip, Dot, LabelChip } from '../../ui/Chip.tsx'
import { IconFlag, IconMessage2 } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { WorkOrderLink } from '../open-work-order.tsx'
import { openPicker } from '../picker.tsx'
import type { Property } from '../properties.tsx'
import { RowWriteNote, RowWrites } from '../RowWrites.tsx'
import { codeOf, PRIORITY_NAMES, phaseName, STATUS_NAMES, type WorkOrderRow } from '../work-order.ts'
import css from './Row.module.css'

const MAX_LABELS = 3

interface Props {
  row: WorkOrderRow
  projectId: string
  selected: boolean
  focused: boolean
  failure: string | undefined
  onSelect(row: WorkOrderRow, range: boolean): void
  onMenu(row: WorkOrderRow, event: MouseEvent): void
}

/** One work order in the table. Each value opens its own list. */
export const Row = memo(function Row({ row, projectId, selected, focused, failure, onSelect, onMenu }: Props) {
  const pick = (property: Property) => (event: MouseEvent) => {
    event.preventDefault()
    openPicker(property, [row], event.currentTarget)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the same menu opens with the keys of each value.
    <div
      className={cx(css.row, selected && css.selected, focused && css.focused, failure && css.failed)}
      data-row={row.id}
      onContextMenu={(event) => onMenu(row, event)}
    >
      <button
        type="button"
        aria-pressed={selected}
        aria-label={`Select ${codeOf(row)}`}
        className={css.box}
        onClick={(event) => onSelect(row, event.shiftKey)}
      >
        <CheckMark checked={selected} outlined />
      </button>
      <button
        type="button"
        className={css.sign}
        aria-label={`Priority: ${PRIORITY_NAMES[row.priority]}`}
        onClick={pick('priority')}
      >
        <PriorityBars priority={row.priority} />
      </button>
      <span className={css.code}>{codeOf(row)}</span>
      <button
        type="button"
        className={css.sign}
        data-cell="status"
        aria-label={`Status: ${STATUS_NAMES[row.status]}`}
        onClick={pick('status')}
      >
        <StatusRing status={row.status} />
      </button>
      <WorkOrderLink projectId={projectId} number={row.work_order_number} className={css.title}>
        {row.title}
      </WorkOrderLink>
      <RowWrites id={row.id} />
      <span className={css.chips}>
        {row.labels.slice(0, MAX_LABELS).map((label) => (
          <button key={label.id} type="button" onClick={pick('label')} aria-label={`Label: ${label.title}`}>
            <LabelChip label={label} />
          </button>
        ))}
        {row.labels.length > MAX_LABELS && <Chip>+{row.labels.length - MAX_LABELS}</Chip>}
        {row.phase && (
          <button type="button" onClick={pick('phase')} aria-label={`Phase: ${phaseName(row.phase)}`}>
            <Chip>
              <IconFlag size={13} stroke={1.75} />
              {phaseName(row.phase)}
            </Chip>
          </button>
        )}
      </span>
      {row.comment_count !== undefined && (
        <span className={css.comments}>
          {row.comment_count > 0 && (
            <>
              <IconMessage2 size={14} stroke={1.75} />
              {row.comment_count}
            </>
          )}
        </span>
      )}
      {row.updated_at && (
        <span className={css.time} title={fullTimeOf(row.updated_at)}>
          {dayOf(row.updated_at)}
        </span>
      )}
      <button
        type="button"
        aria-label={`Assignee: ${row.assignee?.name ?? 'nobody'}`}
        className={css.person}
        data-cell="assignee"
        onClick={pick('assignee')}
      >
        <Avatar person={row.assignee} />
      </button>
    </div>
  )
})

/** The same on a narrow screen: two lines that open the work order. */
export const NarrowRow = memo(function NarrowRow({ row, projectId }: { row: WorkOrderRow; projectId: string }) {
  const label = row.labels[0]
  return (
    <WorkOrderLink projectId={projectId} number={row.work_order_number} className={css.narrow}>
      <span className={css.sign}>
        <StatusRing status={row.status} />
      </span>
      <span className={css.narrowText}>
        {row.title}
        <span className={css.narrowLine}>
          <PriorityBars priority={row.priority} size={14} />
          {codeOf(row)}
          <RowWriteNote id={row.id} />
          {label && (
            <span>
              <Dot color={label.color} />
              {label.title}
            </span>
          )}
          {row.comment_count ? (
            <span>
              <IconMessage2 size={13} stroke={1.75} />
              {row.comment_count}
            </span>
          ) : null}
        </span>
      </span>
      <span className={css.narrowAvatar}>
        <Avatar person={row.assignee} size={24} />
      </span>
    </WorkOrderLink>
  )
})
